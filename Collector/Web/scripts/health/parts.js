// What the sections of the health page have in common.

import { h } from "../base/dom.js";
import { count, day, dayName, plural, timeOfDayShort } from "../base/format.js";
import * as route from "../base/route.js";

/** A section with a heading, a sentence that says what it answers, and what it holds. */
export const section = (id, title, answer, ...children) => h("section.card-of", { id: `health-${id}`, aria: { labelledby: `${id}-title` } },
  h("header", null, h("h2", { id: `${id}-title` }, title), answer ? h("p", null, answer) : null), children);

/** What stands there when nothing was recorded, and what would record it. */
export const nothing = (text, advice) => h("p.nothing", null, h("strong", null, text), advice ? [" ", advice] : null);

/** Where some sessions are told by summaries, what this counts is what came. */
export const ofWhatCame = (sessions) => sessions
  ? h("p.faint", null, `${plural(sessions, "session")} by summary: of ${sessions === 1 ? "it" : "them"}, only what came is counted here.`) : null;

/** "99.2 %": as many digits as it takes to see that it is not 100. */
export function share(part, whole) {
  if (!whole) return "–";
  const value = (part / whole) * 100;
  if (value === 0 || value === 100) return `${value} %`;
  const digits = value > 99.9 || value < 0.1 ? 2 : value > 10 && value < 90 ? 0 : 1;
  const text = value.toFixed(digits);
  // Rounding must not claim that nothing, or everything, went wrong.
  if (Number(text) === 100) return "> 99.99 %";
  return Number(text) === 0 ? "< 0.01 %" : `${text} %`;
}

/** So many make a rate; fewer are told as what they are. */
export const sample = 20;
export const enough = (whole) => (whole ?? 0) >= sample;

/** A share, or "3 of 7" when the sample is too small for one. */
export const rate = (part, whole) => whole && !enough(whole) ? `${count(part)} of ${count(whole)}` : share(part, whole);

/** What stands beside a rate; beside "3 of 7" nothing has to. */
export const ofSample = (whole) => enough(whole) ? `of ${count(whole)}` : null;

/** How a part of the time is called: by day, or by hour. */
export const partName = (bucket) => (at) => bucket < 86_400_000 ? `${dayName(at)} ${timeOfDayShort(at)}` : dayName(at) || day(at);

/** `columns`: `{name, n?: numbers, cell: (row) => content}`; the first cell of a row is its heading. */
export const numbers = (label, rows, columns) => h("div.wide-table", { tabIndex: 0, role: "region", aria: { label } },
  h("table", null, h("caption.visually-hidden", null, label),
    h("thead", null, h("tr", null, columns.map(({ name, n }) => h(n ? "th.n" : "th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((row) => h("tr", null, columns.map(({ n, cell }, index) =>
      index === 0 ? h("th", { scope: "row" }, cell(row)) : h(n ? "td.n" : "td", null, cell(row))))))));

/** The rows that are told apart, and one for all others, which says how many these are. */
export const withOthers = (rows, others) => others ? [...rows, others] : rows;

/** A version, with its app where there are several; it leads to the issues of that version. */
export function version(row, isAlone) {
  if (row.names) return h("span.faint", null, plural(row.names, "other"));
  const name = row.version ?? "unknown";
  const text = isAlone || !row.bundleId ? name : `${row.bundleId.split(".").at(-1)} ${name}`;
  return row.version ? h("a.version", { href: route.address({ view: "issues", version: row.version }), title: `Issues of version ${row.version}` }, text)
    : h("span.faint", null, text);
}

export const sessionLink = (sessionId, event, ...content) => h("a", { href: route.address({ session: sessionId, event: event ? String(event) : null }) }, content);

export const fact = (name, value, more, tone = "") => h(`div.fact${tone ? `.${tone}` : ""}`, null,
  h("dt", null, name), h("dd", null, value, more ? h("small", null, more) : null));

export const per = (n, whole, of) => whole ? `${count(Math.round((n / whole) * of * 10) / 10)}` : "–";
