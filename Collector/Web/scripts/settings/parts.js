// What the sections of the settings have in common.

import { h } from "../base/dom.js";

export const section = (id, title, explanation, ...children) => h("section.card-of", { id: `settings-${id}`, aria: { labelledby: `${id}-title` } },
  h("header", null, h("h2", { id: `${id}-title` }, title), explanation ? h("p", null, explanation) : null), children);

/** A labelled field; `more` stands behind it, as a unit does. */
export const field = (label, input, more = null) => h("label.setting", null, h("span", null, label), h("span.with", null, input, more));

export const text = (properties) => h("input", { type: "text", autocomplete: "off", spellcheck: false, ...properties });

/**
 * Remembers what fields say now; called later, it empties those that still say it. Somebody quick has begun with the next entry while
 * this one was being saved.
 */
export function emptying(...fields) {
  const sent = fields.map(({ value }) => value);
  return () => fields.forEach((field, index) => { if (field.value === sent[index]) field.value = ""; });
}

/** A button that asks before it does something that cannot be undone. */
export function confirmed(label, question, act, properties = {}) {
  const button = h("button.small", { type: "button", ...properties, onClick: () => {
    const dialog = document.body.appendChild(h("dialog", { aria: { label } },
      h("form", { method: "dialog" }, h("h2", null, label), h("p", null, question),
        h("div.answers", null, h("button.small", { value: "" }, "Cancel"), h("button.small.danger", { value: "yes" }, label)))));
    dialog.addEventListener("close", () => {
      const isSure = dialog.returnValue === "yes";
      dialog.remove();
      if (isSure) act();
      else button.focus();
    });
    dialog.showModal();
  } }, label);
  return button;
}
