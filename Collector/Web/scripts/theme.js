// Light or dark, before the first paint: as it was chosen here, else as the system has it. A classic script, for modules run later.

(() => {
  const slot = "automobile.theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem(slot); } catch { return null; }
  };
  const apply = () => {
    const theme = chosen() ?? (system.matches ? "dark" : "light");
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    dispatchEvent(new Event("themechange"));
  };
  /** "light", "dark", or null for what the system has. */
  window.setTheme = (theme) => {
    try {
      if (theme) localStorage.setItem(slot, theme);
      else localStorage.removeItem(slot);
    } catch { /* without storage the choice lives as long as the page */ }
    if (theme && chosen() !== theme) document.documentElement.dataset.theme = theme;
    else apply();
    dispatchEvent(new Event("themechange"));
  };
  system.addEventListener("change", apply);
  addEventListener("storage", apply);
  apply();
})();
