// One report: the cause, the stacks, what was before, registers and images.

import { copyFrom, h } from "../base/dom.js";
import { duration, plural } from "../base/format.js";
import { list, pair } from "../detail/fields.js";
import { userLink } from "../users/link.js";
import { before, breadcrumbs } from "./before.js";
import { stack } from "./stack.js";
import { weights } from "./weights.js";

/** @param {object} loaded  what /api/events/ID/report says */
export function report(loaded) {
  const { report: { threads, samples = [], images, notes } } = loaded;
  const crashed = threads.findIndex((thread) => thread.crashed);
  const first = crashed >= 0 ? crashed : Math.max(threads.findIndex((thread) => thread.main), 0);
  const others = threads.map((thread, index) => ({ thread, index })).filter(({ index }) => index !== first);
  return h("div.report", null,
    h("div.stacks", null,
      cause(loaded), advice(loaded.symbols),
      samples.length ? weights(samples, images) : null,
      threads[first] ? section(threadName(threads[first], first, samples.length > 0), stack(threads[first].frames, images), threads[first].truncated) : null,
      others.length ? h("section", null, h("h3", null, `Other threads (${others.length})`),
        others.map(({ thread, index }) => h("details.thread", null,
          h("summary", null, h("span", null, threadName(thread, index)), h("span.faint", null, topOf(thread))),
          stack(thread.frames, images), cut(thread.truncated)))) : null,
      threads[first]?.registers && Object.keys(threads[first].registers).length ? h("details.thread", null,
        h("summary", null, "Registers"), registers(threads[first].registers)) : null,
      images.some(({ uuid }) => uuid) ? h("details.thread", null, h("summary", null, `Images (${images.length})`), imageTable(images)) : null,
      notes.length ? h("section", null, h("h3", null, "Notes"), h("ul.notes", null, notes.map((note) => h("li", null, note)))) : null),
    h("div.around", null, before(loaded), breadcrumbs(loaded), context(loaded)));
}

const section = (title, content, truncated) => h("section.first", null, h("h3", null, title), content, cut(truncated));

const cut = (truncated) => truncated ? h("p.faint.cut", null, "The stack continues; the rest could not be read.") : null;

function threadName({ name, id, crashed, main }, index, sampled = false) {
  const title = name || (main ? "main" : `Thread ${index}`);
  const state = crashed ? "crashed" : sampled ? "at the end of the hang" : null;
  return [title, id && name ? `(${id})` : null, state ? `· ${state}` : null].filter(Boolean).join(" ");
}

const topOf = ({ frames }) => (frames.find(({ inApp }) => inApp) ?? frames[0])?.function ?? frames[0]?.symbol ?? "";

/** Why it ended, as far as it is known. */
function cause({ report: { signal, exception, durationMs, anr }, message, errorDomain, screen, kind }) {
  const pairs = [];
  if (exception) pairs.push(pair("Exception", exception.type ?? "unknown", false), exception.reason ? pair("Reason", exception.reason, false) : null);
  if (signal) {
    const code = [signal.codeName ?? signal.code, signal.address ? `at ${signal.address}` : null].filter(Boolean).join(" ");
    pairs.push(pair("Signal", [signal.name ?? signal.number, code].filter(Boolean).join(" · "), false));
  }
  if (kind === "failure" && errorDomain && !exception) pairs.push(pair("Error", errorDomain, false));
  if (message && message !== exception?.reason && !signal) pairs.push(pair("Message", message, false));
  if (kind === "hang" && durationMs) pairs.push(pair("Blocked for", `${duration(durationMs)}${anr ? " — the app did not respond" : ""}`, false));
  if (screen) pairs.push(pair("Screen", screen, false));
  return pairs.length ? h("section.cause", null, list(pairs)) : null;
}

/** What would make the report say more. */
function advice({ problem, missing }) {
  if (problem) return h("p.advice", null, problem);
  const named = missing.filter(({ uuid }) => uuid);
  if (!named.length) return null;
  const command = "automobile symbols add PATH";
  const copy = h("button.link", { type: "button", onClick: () => copyFrom(copy, command) }, "Copy");
  return h("p.advice", null,
    `${plural(named.length, "image")} without symbols: `,
    named.slice(0, 4).map(({ name, uuid }, index) => [index ? ", " : "", h("span", { title: `Build ${uuid}` }, name, h("code", null, ` ${uuid.slice(0, 12)}`))]),
    named.length > 4 ? ` and ${named.length - 4} more` : "", ". For functions and lines: ", h("code", null, command), " ", copy);
}

const registers = (values) => h("dl.registers", null,
  Object.entries(values).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, h("code", null, value)))));

const imageTable = (images) => h("div.table-scroll", null, h("table.images", null,
  h("thead", null, h("tr", null, ["Image", "Build", "Loaded at", "Path"].map((title) => h("th", { scope: "col" }, title)))),
  h("tbody", null, images.map(({ name, uuid, base, path }) => h("tr", null,
    h("td", null, name), h("td", null, h("code", null, uuid ?? "–")), h("td", null, h("code", null, base ?? "–")), h("td.faint", null, path ?? ""))))));

function context({ context, device, appVersion, bundleId, launchId }) {
  const { tags, sessionId, userId } = context ?? {};
  const user = userId ? [pair("User", userLink(userId, bundleId), false)] : [];
  const pairs = [["App", [bundleId, appVersion].filter(Boolean).join(" ")], ["Device", device?.model],
    ["System", [device?.systemName, device?.osVersion].filter(Boolean).join(" ")], ["Session", sessionId], ["Launch", launchId]]
    .filter(([, value]) => value).map(([name, value]) => pair(name, String(value), false));
  const tagPairs = Object.entries(tags ?? {}).map(([key, value]) => pair(key, String(value), false));
  return h("section", null, h("h3", null, "Context"), list([...user, ...pairs, ...tagPairs]));
}
