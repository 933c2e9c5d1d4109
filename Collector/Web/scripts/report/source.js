// A frame's place in the source: a link that opens it, and the lines around it.

import { h } from "../base/dom.js";

/** What opens files or pages, and runs nothing. The collector keeps to the same list; who reads its answers does not rely on that. */
const schemes = new Set(["https:", "http:", "vscode:", "vscode-insiders:", "vscodium:", "cursor:", "zed:", "xcode:", "idea:", "jetbrains:",
  "txmt:", "subl:", "mvim:", "x-bbedit:"]);

export function isOpenable(link) {
  try {
    return schemes.has(new URL(link).protocol);
  } catch {
    return false;
  }
}

/** `Cart.swift:41`, which opens it where a link is set; null where no file is known. */
export function place({ file, line, column, link }) {
  if (!file) return null;
  const text = `${file.split("/").at(-1)}${line ? `:${line}` : ""}`;
  const whole = `${file}${line ? `:${line}${column ? `:${column}` : ""}` : ""}`;
  if (!link || !isOpenable(link)) return h("span.place", { title: whole }, text);
  const isPage = /^https?:/.test(link);
  return h("a.place", { href: link, title: `Open ${whole}`, target: isPage ? "_blank" : null, rel: "noopener noreferrer" }, text);
}

export function excerpt({ path, first, lines }, line) {
  return h("div.source", { role: "region", tabIndex: 0, aria: { label: `Source of ${path}` } }, h("table", null, h("tbody", null, lines.map((text, index) => h(first + index === line ? "tr.here" : "tr", null,
    h("th", { scope: "row" }, String(first + index)), h("td", null, text))))));
}
