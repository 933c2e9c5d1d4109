// The name of the program, and its parts.

import { h } from "./dom.js";

/** @param {"sessions"|"issues"|"network"} current */
export const nav = (current) => h("div.nav", null,
  h("a.brand", { href: "#/" }, h("img", { src: "icon.svg", alt: "", width: 20, height: 20 }), "AutoMobile"),
  h("span.spring"),
  h("span.tabs", { role: "navigation", aria: { label: "Views" } },
    [["sessions", "Sessions", "#/"], ["issues", "Issues", "#/issues"], ["network", "Network", "#/network"]].map(([name, text, href]) =>
      h("a", { href, aria: name === current ? { current: "page" } : {} }, text))));
