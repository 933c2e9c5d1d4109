// The question for the collector's key.

import { h } from "./dom.js";
import { setKey } from "./api.js";

let asking = false;

/** Asks for the key once, however many requests were refused. */
export function askForKey(onKey) {
  if (asking) return;
  asking = true;
  const field = h("input", { type: "password", required: true, autocomplete: "current-password", aria: { label: "Key" } });
  const dialog = document.body.appendChild(h("dialog", { aria: { label: "Key" } },
    h("form", { method: "dialog", onSubmit: () => { setKey(field.value); } },
      h("h2", null, "This collector requires a key"),
      h("p", null, "It was started with ", h("code", null, "--key"), ". The key stays in this tab."),
      h("label.field", null, field),
      h("button.small.primary", null, "Open"))));
  dialog.addEventListener("close", () => { dialog.remove(); asking = false; onKey(); });
  dialog.showModal();
}
