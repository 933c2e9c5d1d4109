// JSON with colours, built from text nodes.

import { h } from "../base/dom.js";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Longer texts are shown plainly: thousands of spans would take longer than reading. */
const longest = 60_000;

export const json = (value) => highlighted(JSON.stringify(value, null, 2));

/** The same for a text that is JSON already. */
export function highlighted(text) {
  const pre = h("pre.json", { tabIndex: 0 });
  if (text.length > longest) {
    pre.textContent = text;
    return pre;
  }
  let end = 0;
  for (const match of text.matchAll(token)) {
    pre.append(text.slice(end, match.index));
    const [whole, string, colon] = match;
    if (colon) pre.append(h("span.key", null, string), colon);
    else pre.append(h(string ? "span.string" : "span.number", null, whole));
    end = match.index + whole.length;
  }
  pre.append(text.slice(end));
  return pre;
}
