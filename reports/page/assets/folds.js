// Folded parts: following a link opens its target; printing opens all parts and closes them afterwards.
const Folds = (() => {
  "use strict";
  function open(element) { // every fold around an element, and the element itself if it is one
    for (let at = element; at; at = at.parentElement) if (at.localName === "details") at.open = true;
  }
  function follow() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || target.matches(".claim")) return; // ledger.js shows claims, as it resets the filters
    open(target);
    target.scrollIntoView({ block: "start" });
  }
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
    opened = [];
  });
  addEventListener("hashchange", follow);
  addEventListener("DOMContentLoaded", follow);
  follow();
  return { open };
})();
