// Highlights the claims that depend on a claim; by pointer, touch or arrow keys.
for (const map of document.querySelectorAll(".map")) {
  const data = JSON.parse(document.getElementById(map.dataset.map).textContent);
  const nodes = [...map.querySelectorAll(".nodes a")], edges = [...map.querySelectorAll(".edges path")];
  const status = map.querySelector(".told"), hint = status.textContent;
  const text = { hit: "depend on it", used: "have a proof that uses it", holds: "proved without it", repaired: "hold as repaired", numerical: "are supported by simulation only", undecided: "open", fails: "fail" };
  const place = nodes.map((node) => node.getAttribute("transform").match(/-?[\d.]+/g).map(Number));
  let stuck = -1;

  function clear() {
    map.classList.remove("active");
    for (const mark of [...nodes, ...edges]) mark.classList.remove("hit", "chosen", "same", ...Object.keys(text));
    status.textContent = hint;
  }

  function light(i) {
    clear();
    const [id, , verdict, section, reach] = data[i], lit = new Set([data[i][1]]), counts = {};
    map.classList.add("active");
    nodes[i].classList.add("chosen");
    for (const [j, effect] of reach) {
      nodes[j].classList.add(effect === "same" ? "chosen" : "hit", effect);
      lit.add(data[j][1]);
      if (effect !== "same") counts[effect] = (counts[effect] ?? 0) + 1;
    }
    for (const edge of edges) {
      if (edge.classList.contains("uses") && lit.has(edge.dataset.from) && lit.has(edge.dataset.to)) edge.classList.add("hit");
    }
    const name = document.createElement("b");
    name.textContent = id;
    const tail = Object.entries(text).filter(([effect]) => counts[effect]).map(([effect, words]) => `${counts[effect]} ${words}`);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0), list = counts.hit ? "" : `: ${tail.join(", ")}`;
    status.replaceChildren(name, ` (${section}, ${verdict}). ` + (total
      ? `${total} ${map.dataset.map === "results-data" ? "result" : "claim"}${total > 1 ? "s depend" : " depends"} on it${list}.` : "Nothing here depends on it."));
  }

  function focus(i) {
    nodes.forEach((node, j) => node.setAttribute("tabindex", i === j ? 0 : -1));
    nodes[i].focus();
  }

  function next(i, key) { // the nearest mark in the direction of the arrow
    const [x, y] = place[i];
    let best = -1, least = Infinity;
    place.forEach(([u, v], j) => {
      const [along, across] = { ArrowRight: [u - x, v - y], ArrowLeft: [x - u, v - y], ArrowDown: [v - y, u - x], ArrowUp: [y - v, u - x] }[key];
      const far = along + 3 * Math.abs(across);
      if (j !== i && along > 0.5 && far < least) [best, least] = [j, far];
    });
    return best;
  }

  nodes.forEach((node, i) => {
    node.addEventListener("pointerenter", (event) => { if (event.pointerType === "mouse") light(i); });
    node.addEventListener("focus", () => light(i));
    node.addEventListener("pointerleave", () => { if (stuck < 0) clear(); });
    node.addEventListener("blur", () => { stuck = -1; clear(); });
    node.addEventListener("click", (event) => { // the first tap highlights, the second follows the link
      if (event.pointerType === "touch" && stuck !== i) { event.preventDefault(); stuck = i; light(i); }
    });
    node.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      const to = next(i, event.key);
      if (to >= 0) focus(to);
    });
  });
}
