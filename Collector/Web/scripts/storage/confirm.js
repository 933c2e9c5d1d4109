// Asks before something is changed.

import { h } from "../base/dom.js";

/** @returns {Promise<boolean>} */
export function confirm({ title, text, action }) {
  return new Promise((resolve) => {
    const dialog = document.body.appendChild(h("dialog", { aria: { label: title } },
      h("form", { method: "dialog" }, h("h2", null, title), h("pre.quoted", null, text),
        h("span.actions", null, h("button.small", { value: "" }, "Cancel"), h("button.small.primary", { value: "yes" }, action)))));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
    dialog.showModal();
  });
}
