// Light or dark theme: that of the system unless the reader has chosen one.
(() => {
  "use strict";
  const root = document.documentElement, kept = "reucb-theme";
  const read = () => { try { return localStorage.getItem(kept); } catch { return null; } };
  const set = (theme) => { if (theme === "light" || theme === "dark") root.dataset.theme = theme; };
  set(read());
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    set(dark ? "light" : "dark");
    try { localStorage.setItem(kept, root.dataset.theme); } catch { /* no storage for a page opened from a file */ }
  });
})();
