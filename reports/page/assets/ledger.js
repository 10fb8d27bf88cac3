// Filters of the ledger: verdict, section, kind, author and words, combined; a link always shows its claim.
(() => {
  "use strict";
  const form = document.getElementById("filters");
  if (!form) return;
  const $ = (id) => document.getElementById(id);
  const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const chapters = [...document.querySelectorAll("#ledger .chapter")].map((part) => ({
    part, name: part.dataset.section, count: part.querySelector(".count"), told: part.querySelector(".count").textContent,
    claims: [...part.querySelectorAll(".claim")].map((card) => ({ card, ...card.dataset, words: null })),
  }));
  const words = (claim) => claim.words ??= fold(
    [claim.tex, ...["header", ".why", ".says", ".example"].map((s) => claim.card.querySelector(s)?.textContent ?? "")].join(" "));

  let was = false;

  function apply() {
    const asked = fold($("query").value).split(/\s+/).filter(Boolean);
    const verdicts = new Set([...form.querySelectorAll("[name=verdict]:checked")].map((box) => box.value));
    const section = $("by-section").value, kind = $("by-kind").value, author = $("by-author").value;
    const filtered = Boolean(asked.length || verdicts.size || section || kind || author);
    let shown = 0, all = 0;
    for (const { part, name, count, told, claims } of chapters) {
      let here = 0;
      for (const claim of claims) {
        const fits = (!verdicts.size || verdicts.has(claim.verdict)) && (!section || section === name) &&
          (!kind || kind === claim.kind) && (!author || author === claim.by) &&
          asked.every((word) => words(claim).includes(word));
        claim.card.hidden = !fits;
        here += fits;
      }
      part.hidden = !here;
      if (filtered || was) part.open = filtered && here > 0; // open sections with matches; fold all when the filters are cleared
      count.textContent = here === claims.length ? told : `${here} of ${told}`;
      shown += here;
      all += claims.length;
    }
    was = filtered;
    $("shown").textContent = shown === all ? `${all} claims` : `${shown} of ${all} claims`;
    $("nothing").hidden = shown > 0;
  }

  function reveal() { // a permalink overrides the filters
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.matches(".claim")) return;
    if (target.hidden) { form.reset(); apply(); }
    Folds.open(target);
    target.scrollIntoView({ block: "start" });
  }

  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  $("again").addEventListener("click", () => { form.reset(); $("query").focus(); });
  $("unfold").addEventListener("click", (event) => {
    const open = event.target.getAttribute("aria-pressed") !== "true";
    for (const { part } of chapters) part.open = open;
    event.target.setAttribute("aria-pressed", open);
    event.target.textContent = open ? "Close all sections" : "Open all sections";
  });
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => { // also when the address does not change
    if (event.target.closest?.("a[href^='#']")?.getAttribute("href") === location.hash) reveal();
  });
  addEventListener("keydown", (event) => { // the slash key focuses the search field
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    $("query").focus();
  });
  apply();
  reveal();
})();
