// The list of keys, made from the commands that there are at this moment.

import { fill, h } from "../base/dom.js";
import { commands, keyLabel } from "./commands.js";

/** The query language in short; Documentation/Search.md is its page. */
const search = [
  ["mira payment", "Both words, each anywhere"], ["\"card declined\"", "Exactly this text"], ["version:2.4,2.5", "A field that begins so; commas mean or"],
  ["-has:crash", "Not this"], ["duration:>1s", "Compared: >, >=, <, <="], ["status:5xx", "Responses: a code, a class, none"],
];

let dialog = null;

export function showHelp() {
  dialog ??= document.body.appendChild(h("dialog.help", { aria: { label: "Keyboard shortcuts" } }));
  const groups = Map.groupBy(commands().filter(({ keys }) => keys?.length), ({ group }) => group);
  fill(dialog,
    h("h2", null, "Keyboard shortcuts"),
    h("div.key-groups", null, [...groups].map(([group, members]) => h("section", null,
      h("h3", null, group),
      h("dl.keys", null, members.map(({ keys, title }) => [
        h("dt", null, keys.slice(0, 3).map((key) => h("kbd", null, keyLabel(key)))), h("dd", null, title),
      ]))))),
    h("section.search-help", null, h("h3", null, "Search"), h("dl.keys", null, search.map(([text, meaning]) => [
      h("dt", null, h("code", null, text)), h("dd", null, meaning)])), h("p.faint", null, "The same everywhere: sessions, issues, requests, events and the command line.")),
    h("form", { method: "dialog" }, h("button.small", null, "Close")));
  if (!dialog.open) dialog.showModal();
}
