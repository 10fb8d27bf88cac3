// Tooltips of pictures: the point nearest to the pointer or touch, or the next one by arrow key.
const Tip = (() => {
  "use strict";
  const box = document.getElementById("tip");
  function show(text, x, y) {
    box.textContent = text;
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect(), room = document.documentElement.clientWidth;
    box.style.left = `${Math.max(8, Math.min(x + 14, room - width - 8))}px`;
    box.style.top = `${y - height - 14 > 4 ? y - height - 14 : y + 18}px`;
  }
  const hide = () => { box.hidden = true; };
  addEventListener("scroll", hide, { passive: true });
  return { show, hide };
})();
(() => {
  "use strict";
  const REACH = 40;
  for (const frame of document.querySelectorAll("[data-points]")) {
    const svg = frame.querySelector("svg");
    const points = JSON.parse(document.getElementById(frame.dataset.points).textContent);
    const mark = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    mark.setAttribute("class", "cross");
    mark.setAttribute("r", "5");
    let at = -1;
    const order = points.map((_, i) => i).sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1]);
    function choose(i) {
      const [x, y, label] = points[i], matrix = svg.getScreenCTM();
      mark.setAttribute("cx", x);
      mark.setAttribute("cy", y);
      svg.append(mark);
      const place = new DOMPoint(x, y).matrixTransform(matrix);
      Tip.show(label, place.x, place.y);
    }
    function leave() { mark.remove(); Tip.hide(); }
    function point(event) {
      const matrix = svg.getScreenCTM();
      if (!matrix) return;
      const here = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      let best = -1, least = Infinity;
      points.forEach(([x, y], i) => {
        const d = Math.hypot(x - here.x, y - here.y);
        if (d < least) [best, least] = [i, d];
      });
      if (best >= 0 && least * matrix.a < REACH) { at = order.indexOf(best); choose(best); } else leave();
    }
    svg.addEventListener("pointermove", point);
    svg.addEventListener("pointerdown", point);
    svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") leave(); });
    frame.addEventListener("blur", leave);
    frame.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") leave();
      if (!step || !points.length) return;
      event.preventDefault();
      at = (at + step + points.length) % points.length;
      choose(order[at]);
    });
  }
  for (const button of document.querySelectorAll(".enlarge")) {
    button.addEventListener("click", () => {
      const wide = button.closest("figure").querySelector(".frame").classList.toggle("wide");
      button.setAttribute("aria-pressed", wide);
      button.textContent = wide ? "Fit" : "Enlarge";
    });
  }
})();
