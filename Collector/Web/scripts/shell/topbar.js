// The bar at the top of every page: where one is, the palette, light and dark, and the keys.

import { fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { keyLabel } from "./commands.js";

/** @param {{pages: {name: string, title: string, href: string}[], onPalette: () => void, onHelp: () => void, account: HTMLElement}} options */
export function topbar(element, { pages, onPalette, onHelp, account }) {
  const links = new Map(pages.map(({ name, title, href }) => [name, h("a", { href }, title)]));
  const theme = h("button.plain", { type: "button", onClick: toggleTheme });
  const name = () => {
    const label = isDark() ? "Light theme" : "Dark theme";
    fill(theme, icon(isDark() ? "sun" : "moon"));
    theme.setAttribute("aria-label", label);
    theme.title = label;
  };
  addEventListener("themechange", name);
  name();
  fill(element,
    h("a.brand", { href: "#/", aria: { label: "AutoMobile" } }, h("img", { src: document.querySelector("link[rel=icon]").href, alt: "", width: 20, height: 20 }), h("span", null, "AutoMobile")),
    h("nav.tabs", { aria: { label: "Pages" } }, [...links.values()]),
    h("span.spring"),
    h("button.palette-button", { type: "button", onClick: onPalette, aria: { label: "Command palette", keyshortcuts: "Control+K Meta+K" } },
      icon("search"), h("span", null, "Search or run a command…"), h("kbd", null, keyLabel("Mod+k"))),
    theme,
    h("button.plain", { type: "button", title: "Keyboard shortcuts (?)", aria: { label: "Keyboard shortcuts" }, onClick: onHelp }, icon("keys")),
    account);
  return {
    /** Marks the page that is shown. */
    set current(page) {
      for (const [name, link] of links) {
        if (name === page) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      }
      // Where the bar is narrower than its pages.
      links.get(page)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
  };
}

const isDark = () => document.documentElement.dataset.theme === "dark";

export const toggleTheme = () => window.setTheme(isDark() ? "light" : "dark");
