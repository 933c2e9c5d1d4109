// The dialogs: the list of keys, and the question for the collector's key.

import { h } from "./dom.js";
import { setKey } from "./api.js";

const keys = [
  ["j / k", "Next, previous event or request"], ["g / G", "First, last event"], ["e", "Next error"], ["Enter", "Show the event"],
  ["[ / ]", "Previous, next session"], ["/", "Filter events"], ["s", "Search sessions"], ["f", "Follow new events"],
  ["i", "Issues"], ["n", "Network"],
  ["c", "Copy the event as JSON"], ["Esc", "Close"], ["?", "This list"],
];

let help = null;

export function showHelp() {
  help ??= document.body.appendChild(h("dialog", { aria: { label: "Keys" } },
    h("h2", null, "Keys"),
    h("dl.keys", null, keys.map(([key, text]) => [h("dt", null, h("kbd", null, key)), h("dd", null, text)])),
    h("form", { method: "dialog" }, h("button.small", null, "Close"))));
  help.showModal();
}

let asking = false;

/** Asks for the key once, however many requests were refused. */
export function askForKey(onKey) {
  if (asking) return;
  asking = true;
  const field = h("input", { type: "password", required: true, autocomplete: "current-password", aria: { label: "Key" } });
  const dialog = document.body.appendChild(h("dialog", { aria: { label: "Key" } },
    h("form", { method: "dialog", onSubmit: () => { setKey(field.value); } },
      h("h2", null, "This collector asks for a key"),
      h("p", null, "It was started with ", h("code", null, "--key"), ". The key stays in this tab."),
      h("label.field", null, field),
      h("button.small.primary", null, "Open"))));
  dialog.addEventListener("close", () => { dialog.remove(); asking = false; onKey(); });
  dialog.showModal();
}
