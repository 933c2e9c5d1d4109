// Sets a value, once it has been asked about and the app has taken it.

import { fill, h } from "../base/dom.js";

const types = { string: "Text", int: "Whole number", double: "Number", bool: "True or false", date: "Date, ISO 8601", data: "Data, base64", array: "Array, JSON", dictionary: "Dictionary, JSON" };

/**
 * @param {object|null} entry  the one that is there; null makes a new one
 * @param {(change: {key: string, type: string, value: string}) => Promise<object>} store
 * @returns {Promise<object|null>}  what is stored now; null when nothing was done
 */
export function editValue(entry, store) {
  return new Promise((resolve) => {
    const isShown = entry && !entry.isTruncated && !entry.isRedacted;
    const key = h("input", { value: entry?.key ?? "", required: true, readOnly: Boolean(entry), maxLength: 4096, aria: { label: "Key" } });
    const type = h("select", { aria: { label: "Type" } }, Object.entries(types).map(([name, title]) => h("option", { value: name }, title)));
    type.value = Object.hasOwn(types, entry?.type ?? "") ? entry.type : "string";
    const value = h("textarea.sql", { rows: 5, spellcheck: false, value: isShown ? entry.value ?? "" : "", aria: { label: "Value" } });
    const problem = h("p.sql-error", { role: "alert", hidden: true });
    const button = h("button.small.primary", { type: "submit" }, entry ? "Set in the app" : "Add to the app");
    let result = null;
    const dialog = document.body.appendChild(h("dialog.edit-dialog", { aria: { label: entry ? "Edit" : "Add" } }, h("form", {
      onSubmit: async (event) => {
        event.preventDefault();
        button.disabled = true;
        try {
          result = await store({ key: key.value, type: type.value, value: value.value });
          dialog.close();
        } catch (error) {
          fill(problem, error.message);
          problem.hidden = false;
          button.disabled = false;
        }
      },
    }, h("h2", null, entry ? "Edit a value of the app" : "Add a value to the app"),
    h("label.field", null, h("span", null, "Key"), key), h("label.field", null, h("span", null, "Type"), type), value,
    entry && !isShown ? h("p.faint", null, "The current value is not shown in full. What you type replaces it.") : null, problem,
    h("span.actions", null, h("button.small", { type: "button", onClick: () => dialog.close() }, "Cancel"), button))));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(result); });
    dialog.showModal();
    (entry ? value : key).focus();
  });
}
