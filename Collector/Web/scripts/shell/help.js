// The list of keys, made from the commands that there are at this moment.

import { fill, h } from "../base/dom.js";
import { commands, keyLabel } from "./commands.js";

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
    h("form", { method: "dialog" }, h("button.small", null, "Close")));
  if (!dialog.open) dialog.showModal();
}
