// The blast radius of a claim: what rests on it, lit up; by pointer, finger or arrow keys.
(() => {
  "use strict";
  const map = document.getElementById("map");
  if (!map) return;
  const data = JSON.parse(document.getElementById("graph-data").textContent);
  const nodes = [...map.querySelectorAll(".nodes a")], edges = [...map.querySelectorAll(".edges path")];
  const says = document.getElementById("radius"), silence = says.textContent;
  const text = { survives: "proved here without it", repaired: "survive repaired", numerical: "stand on numbers only", falls: "fall" };
  const place = nodes.map((node) => node.getAttribute("transform").match(/-?[\d.]+/g).map(Number));
  let stuck = -1;

  function clear() {
    map.classList.remove("active");
    for (const mark of [...nodes, ...edges]) mark.classList.remove("hit", "chosen", ...Object.keys(text));
    says.textContent = silence;
  }

  function light(i) {
    clear();
    const [id, , verdict, section, reach] = data[i], lit = new Set([data[i][1]]), counts = {};
    map.classList.add("active");
    nodes[i].classList.add("chosen");
    for (const [j, fate] of reach) {
      nodes[j].classList.add("hit", fate);
      lit.add(data[j][1]);
      counts[fate] = (counts[fate] ?? 0) + 1;
    }
    for (const edge of edges) {
      if (edge.classList.contains("rests") && lit.has(edge.dataset.from) && lit.has(edge.dataset.to)) edge.classList.add("hit");
    }
    const name = document.createElement("b");
    name.textContent = id;
    const tail = Object.entries(text).filter(([fate]) => counts[fate]).map(([fate, words]) => `${counts[fate]} ${words}`);
    says.replaceChildren(name, ` (${section}, ${verdict}). ` + (reach.length
      ? `${reach.length} claim${reach.length > 1 ? "s rest" : " rests"} on it: ${tail.join(", ")}.` : "Nothing rests on it."));
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
    node.addEventListener("click", (event) => { // the first tap shows, the second goes there
      if (event.pointerType === "touch" && stuck !== i) { event.preventDefault(); stuck = i; light(i); }
    });
    node.addEventListener("keydown", (event) => {
      if (!event.key.startsWith("Arrow")) return;
      event.preventDefault();
      const to = next(i, event.key);
      if (to >= 0) focus(to);
    });
  });
})();
