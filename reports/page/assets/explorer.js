// The bound explorer: computes all bounds from five numbers and draws them on logarithmic scales.
(() => {
  "use strict";
  Bounds.useTable(JSON.parse(document.getElementById("bound-table").textContent));
  const form = document.getElementById("sliders"), svg = document.querySelector("#plot svg");
  const W = 560, H = 420, M = { left: 44, right: 12, top: 30, bottom: 40 }, POINTS = 25, LAST = 8;
  const ranges = [...form.querySelectorAll("[type=range]")];
  const rows = [...document.querySelectorAll("#values tbody tr")].map((row) => ({
    row, name: row.dataset.curve, colour: row.dataset.colour, dash: row.dataset.dash,
    box: row.querySelector("input"), label: row.querySelector("label").textContent.trim(),
  }));
  const boxOf = (range) => document.getElementById(`box-${range.dataset.name}`);
  const limits = (range) => [Math.log(range.dataset.low), Math.log(range.dataset.high)];
  let point = {}, curves = [], rounds = [], axes = null;

  function fromRange(range) {
    const [low, high] = limits(range), x = Math.exp(low + (high - low) * (range.value / 1000));
    return "whole" in range.dataset ? nice(Math.round(x)) : Number(x.toPrecision(3));
  }
  const nice = (x) => (x < 1000 ? x : Math.round(Number(x.toPrecision(3))));
  function toRange(range, x) {
    const [low, high] = limits(range);
    range.value = Math.round((1000 * (Math.log(x) - low)) / (high - low));
  }

  const setting = ({ a, K, n, sigma0, sigma }) => ({ a, K, n, s0: sigma0 ** 2, s: sigma ** 2 });
  const show = (x) => x === null || !isFinite(x) ? "–" : x >= 1e6 || (x < 1e-3 && x > 0)
    ? x.toExponential(3).replace("e+", "e") : String(Number(x.toPrecision(4)));

  function values(at) {
    const here = setting(at);
    return Object.fromEntries(Object.entries(Bounds.functions).map(([name, bound]) =>
      [name, { value: bound(here), why: Bounds.needs[name]?.(here) ?? null }]));
  }

  function compute() {
    const found = values(point);
    rounds = [...new Set(Array.from({ length: POINTS }, (_, i) => Math.round(10 ** ((LAST * i) / (POINTS - 1)))).concat(point.n, point.K))]
      .sort((x, y) => x - y);
    curves = rows.filter(({ box }) => box.checked).map(({ name, colour, dash }) => ({
      name, colour, dash, silent: Boolean(found[name].why),
      y: rounds.map((n) => Bounds.functions[name](setting({ ...point, n })) ?? 0), // 0 is not drawn
    }));
    table(found);
    draw();
  }

  function table(found) {
    const speaking = rows.filter(({ name }) => !found[name].why && !/theorem2|classical|trivial|lower|combined/.test(name));
    const least = Math.min(...speaking.map(({ name }) => found[name].value));
    for (const { row, name } of rows) {
      const { value, why } = found[name];
      row.classList.toggle("silent", Boolean(why));
      row.classList.toggle("least", !why && value === least);
      row.querySelector(".value").textContent = why ? "–" : show(value);
      row.querySelector(".share").textContent = why ?? show(value / found.trivial.value);
    }
    document.getElementById("at-n").textContent = point.n.toLocaleString("en").replaceAll(",", "\u202f");
    const [one, best, play, low] = ["theorem1", "combined", "trivial", "lower"].map((name) => found[name]);
    const told = one.why ? `The printed bound ${one.why}.`
      : one.value > play.value ? `The printed bound is ${show(one.value / play.value)} times random play here: it is vacuous.`
      : `The printed bound is below random play here.`;
    const ours = best.value < play.value ? `${show(play.value / best.value)} times below` : `${show(best.value / play.value)} times`;
    const gap = low.why ? "" : ` The least upper bound is ${show(best.value / low.value)} times the lower bound.`;
    document.getElementById("remark").textContent = `${told} The least of ours is ${ours} random play.${gap}`;
  }

  const make = (tag, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  function power(element, decade) { // 10 with its exponent
    element.append("10", make("tspan", { dy: "-5", "font-size": "9" }, decade < 0 ? `−${-decade}` : decade));
    return element;
  }

  function draw() {
    const all = curves.flatMap(({ y }) => y).filter((v) => v > 0 && isFinite(v)).map(Math.log10);
    const low = all.length ? Math.floor(Math.min(...all)) : 0, high = all.length ? Math.max(Math.ceil(Math.max(...all)), low + 1) : 1;
    const X = (n) => M.left + ((W - M.left - M.right) * Math.log10(n)) / LAST;
    const Y = (v) => H - M.bottom - ((H - M.top - M.bottom) * (Math.log10(v) - low)) / (high - low);
    const parts = [], step = Math.ceil((high - low) / 9);
    for (let d = 0; d <= LAST; d++) {
      parts.push(make("path", { class: "grid", d: `M${X(10 ** d)} ${M.top}V${H - M.bottom}` }));
      parts.push(power(make("text", { x: X(10 ** d), y: H - M.bottom + 18, "text-anchor": "middle" }), d));
    }
    for (let d = low; d <= high; d += step) {
      parts.push(make("path", { class: "grid", d: `M${M.left} ${Y(10 ** d)}H${W - M.right}` }));
      parts.push(power(make("text", { x: M.left - 8, y: Y(10 ** d) + 4, "text-anchor": "end" }), d));
    }
    parts.push(make("path", { class: "here", d: `M${X(point.n)} ${M.top}V${H - M.bottom}` }));
    for (const { y, colour, dash, silent, name } of curves) {
      const d = y.map((v, i) => (v > 0 ? `${X(rounds[i]).toFixed(1)} ${Y(v).toFixed(1)}` : null)).filter(Boolean).join("L");
      if (d) parts.push(make("path", { class: `curve c-${colour}${silent ? " silent" : ""}`, d: `M${d}`, "stroke-dasharray": dash, "data-curve": name }));
    }
    parts.push(make("text", { x: W - M.right, y: H - 4, "text-anchor": "end" }, "rounds n"));
    parts.push(make("text", { x: 6, y: 14 }, "Bayes regret"));
    svg.replaceChildren(...parts);
    axes = { X };
  }

  let waiting = false;
  function later() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; compute(); });
  }

  function read(box) { // an invalid entry is marked and ignored
    const range = document.getElementById(`range-${box.dataset.name}`), x = Number(box.value);
    const fine = box.value !== "" && x >= Number(range.dataset.low) && x <= Number(range.dataset.high) &&
      (!("whole" in range.dataset) || Number.isInteger(x));
    box.setAttribute("aria-invalid", !fine);
    box.setCustomValidity(fine ? "" : `${box.dataset.name} must be ${"whole" in range.dataset ? "a whole number " : ""}from ${range.dataset.low} to ${range.dataset.high}`);
    if (fine) { point[box.dataset.name] = x; toRange(range, x); }
    return fine;
  }

  for (const range of ranges) {
    range.addEventListener("input", () => {
      const x = fromRange(range);
      boxOf(range).value = x;
      boxOf(range).setCustomValidity("");
      point[range.dataset.name] = x;
      range.setAttribute("aria-valuetext", String(x));
      later();
    });
    boxOf(range).addEventListener("input", (event) => { if (read(event.target)) later(); });
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(begin));
  for (const { box } of rows) box.addEventListener("change", later);
  svg.addEventListener("pointermove", (event) => {
    const matrix = svg.getScreenCTM(), here = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let best = 0;
    rounds.forEach((n, i) => { if (Math.abs(axes.X(n) - here.x) < Math.abs(axes.X(rounds[best]) - here.x)) best = i; });
    const lines = curves.map(({ name, y, silent }) => `${rows.find((row) => row.name === name).label}: ${silent ? "–" : show(y[best])}`);
    Tip.show([`n = ${rounds[best]}`, ...lines].join("\n"), event.clientX, event.clientY);
  });
  svg.addEventListener("pointerleave", Tip.hide);

  function begin() {
    for (const range of ranges) read(boxOf(range));
    compute();
  }
  window.explorer = { values, setting }; // used by the tests
  begin();
})();
