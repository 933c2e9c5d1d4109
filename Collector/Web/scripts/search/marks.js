// Marks in a text what was searched for.

import { h } from "../base/dom.js";

const fold = (text) => {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  // Places have to stay where they are.
  return plain.length === text.length ? plain : text.toLowerCase();
};

/** Whether a text has something to mark. */
export function holds(text, marks) {
  const held = text ? fold(text) : "";
  return marks.some((mark) => held.includes(fold(mark)));
}

/** Texts that are looked through for what was found, and of each what stands around it, in characters. */
const mostTexts = 200;
const [before, after] = [30, 120];

/** Where in an event something was found that its row does not show: "body: … the words …"; null when nowhere. */
export function foundIn(payload, marks) {
  const rest = [["", payload]];
  for (let looked = 0; rest.length && looked < mostTexts; looked++) {
    const [name, value] = rest.shift();
    if (value !== null && typeof value === "object") {
      for (const [key, one] of Object.entries(value)) if (key !== "context" && rest.length < mostTexts) rest.push([Array.isArray(value) ? name : key, one]);
      continue;
    }
    const text = String(value ?? "");
    if (!holds(text, marks)) continue;
    const held = fold(text);
    const at = Math.min(...marks.map((mark) => held.indexOf(fold(mark))).filter((place) => place >= 0));
    const part = text.slice(Math.max(at - before, 0), at + after).replaceAll(/\s+/g, " ");
    return `${name ? `${name}: ` : ""}${at > before ? "…" : ""}${part}${at + after < text.length ? "…" : ""}`;
  }
  return null;
}

/**
 * @param {string|null|undefined} text
 * @param {string[]} marks  what the collector says was looked for
 * @returns {(string|HTMLElement)[]}
 */
export function marked(text, marks) {
  if (!text || !marks?.length) return [text ?? ""];
  const held = fold(text);
  if (held.length !== text.length) return [text];
  const found = [];
  for (const mark of marks) {
    const wanted = fold(mark);
    for (let at = held.indexOf(wanted); wanted && at >= 0 && found.length < 100; at = held.indexOf(wanted, at + wanted.length)) {
      found.push([at, at + wanted.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const parts = [];
  let end = 0;
  for (const [from, to] of found) {
    if (from < end) continue;
    if (from > end) parts.push(text.slice(end, from));
    parts.push(h("mark", null, text.slice(from, to)));
    end = to;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
