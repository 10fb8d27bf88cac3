// What the browser tests ask of the page.
function invisible() { // formulas and pictures without a box, outside of closed details
  const reachable = (el) => !el.closest("details:not([open]) > :not(summary)") && !el.closest(".map");
  const small = (el) => { const box = el.getBoundingClientRect(); return box.width < 1 || box.height < 1; };
  const name = (el) => el.closest("[id]")?.id + ": " + el.textContent.slice(0, 40);
  return {
    math: [...document.querySelectorAll("math")].filter((el) => reachable(el) && small(el)).map(name),
    pictures: [...document.querySelectorAll("svg.picture, #plot svg")].filter((el) => small(el)).map(name),
  };
}

function overflowing() { // elements that stick out of the window, unless inside something that scrolls by itself
  const width = document.documentElement.clientWidth;
  const scrolls = (el) => {
    for (let p = el.parentElement; p && p !== document.body; p = p.parentElement) {
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX) || p.namespaceURI.endsWith("svg") || p.localName === "math") return true;
    }
    return false;
  };
  const out = [...document.body.querySelectorAll("*")].filter((el) => {
    const box = el.getBoundingClientRect();
    return box.width > 0 && (box.right > width + 0.6 || box.left < -0.6) && !el.matches(".skip") && !scrolls(el);
  }).map((el) => `${el.tagName}.${el.getAttribute("class")} ${Math.round(el.getBoundingClientRect().right)} ${el.closest("[id]")?.id}`);
  if (document.documentElement.scrollWidth > width) out.push(`page is ${document.documentElement.scrollWidth} wide`);
  return out.slice(0, 12);
}

function faint(root) { // text whose contrast with what is behind it is below WCAG AA
  const canvas = new OffscreenCanvas(1, 1), pen = canvas.getContext("2d", { willReadFrequently: true }), kept = new Map();
  const rgba = (colour) => {
    if (!kept.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      kept.set(colour, [r, g, b, a / 255]);
    }
    return kept.get(colour);
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = (c) => [0, 1, 2].map((i) => c[i] / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const papers = new Map();
  const behind = (el) => {
    if (!el) return [255, 255, 255, 1];
    if (!papers.has(el)) papers.set(el, over(rgba(getComputedStyle(el).backgroundColor), behind(el.parentElement)));
    return papers.get(el);
  };
  const faintest = [], walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  let checked = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode, el = node.parentElement;
    if (!node.data.trim() || el.closest("script, style, title, math, [hidden], .skip, .silent, option, noscript")) continue;
    const style = getComputedStyle(el), picture = el.namespaceURI.endsWith("svg");
    if (style.visibility === "hidden" || !el.getClientRects().length) continue;
    const paper = behind(picture ? el.closest("svg").parentElement : el), ink = over(rgba(picture ? style.fill : style.color), paper);
    const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    checked++;
    if (ratio < (large ? 3 : 4.5)) faintest.push(`${ratio.toFixed(2)} ${el.tagName}.${el.getAttribute("class")} ${node.data.trim().slice(0, 30)}`);
  }
  return { checked, faint: [...new Set(faintest)].slice(0, 12) };
}

function shown() {
  return [...document.querySelectorAll(".claim")].filter((card) => card.checkVisibility()).map((card) => card.id);
}

function type(id, value) {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function explorerState() {
  const rows = [...document.querySelectorAll("#values tbody tr")], by = (read) => Object.fromEntries(rows.map((r) => [r.dataset.curve, read(r)]));
  return {
    values: by((r) => r.querySelector(".value").textContent), shares: by((r) => r.querySelector(".share").textContent),
    paths: Object.fromEntries([...document.querySelectorAll("#plot .curve")].map((p) => [p.dataset.curve, p.getAttribute("d")])),
    ranges: Object.fromEntries([...document.querySelectorAll("#sliders [type=range]")].map((r) => [r.dataset.name, Number(r.value)])),
  };
}

function structure() {
  let level = 0;
  const skipped = [];
  for (const h of document.querySelectorAll("h1, h2, h3, h4, h5")) {
    const here = Number(h.tagName[1]);
    if (here > level + 1) skipped.push(h.textContent.slice(0, 40));
    level = here;
  }
  const named = (el) => (el.getAttribute("aria-label") ?? "") + el.textContent.trim() + (el.labels?.length ? "label" : "") + (el.getAttribute("title") ?? "");
  const unnamed = [...document.querySelectorAll("a, button, input, select, svg[role=img]")].filter((el) => !named(el) && !el.closest("[aria-hidden=true]"));
  return { skipped, unnamed: unnamed.map((el) => el.outerHTML.slice(0, 60)), h1: document.querySelectorAll("h1").length };
}
