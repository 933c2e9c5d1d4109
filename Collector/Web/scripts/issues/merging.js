// Issues that are one problem put together, and taken apart again.

import * as api from "../base/api.js";
import { debounce, fill, h } from "../base/dom.js";
import { plural, when } from "../base/format.js";
import { send } from "../base/send.js";

const path = (issue) => `issues/${encodeURIComponent(issue.id)}`;

/** What was merged into an issue; nothing when that is nothing. */
export function mergedList(issue, onChange, onError) {
  if (!issue.merged?.length) return null;
  return h("details.merged", { open: true }, h("summary", null, `Merged from ${plural(issue.merged.length, "other issue")}`),
    h("ul", null, issue.merged.map((part) => h("li", null, h("span", null, part.title), h("span.faint", null, plural(part.count, "report")),
      h("button.small", { type: "button", aria: { label: `Unmerge ${part.title}` }, onClick: async () => {
        try {
          onChange(await send("POST", `${path(issue)}/split`, { issue: part.id }));
        } catch (error) {
          onError(error);
        }
      } }, "Unmerge")))));
}

/** Asks which issues are the same problem as this one. */
export function askToMerge(issue, onChange) {
  const chosen = new Map();
  const list = h("ul.choices-of");
  const error = h("p.error", { role: "alert", hidden: true });
  const merge = h("button.small.primary", { value: "yes", disabled: true }, "Merge");
  const field = h("input", { type: "search", placeholder: "Find an issue", aria: { label: "Find an issue" }, onInput: debounce(150, () => load()) });
  const dialog = document.body.appendChild(h("dialog.merge", { aria: { label: "Merge issues" } },
    h("form", { method: "dialog", onSubmit: async (event) => {
      if (event.submitter !== merge) return;
      event.preventDefault();
      try {
        const changed = await send("POST", `${path(issue)}/merge`, { issues: [...chosen.keys()] });
        dialog.close();
        onChange(changed);
      } catch (problem) {
        error.textContent = problem.message;
        error.hidden = false;
      }
    } },
    h("h2", null, "Which issues are the same problem?"),
    h("p", null, "Their reports, past and future, are counted in “", issue.title, "”. You can unmerge them at any time."),
    h("label.setting", null, field), list, error,
    h("div.answers", null, h("button.small", { value: "", formNoValidate: true }, "Cancel"), merge))));

  async function load() {
    try {
      const { issues } = await api.get("issues", { q: field.value.trim(), kind: issue.kind, app: issue.bundleId, status: "all", sort: "count", limit: 30 });
      const others = issues.filter(({ id, bundleId }) => id !== issue.id && bundleId === issue.bundleId);
      fill(list, others.length ? others.map((other) => {
        const box = h("input", { type: "checkbox", checked: chosen.has(other.id), onChange: () => {
          if (box.checked) chosen.set(other.id, other);
          else chosen.delete(other.id);
          merge.disabled = !chosen.size;
        } });
        return h("li", null, h("label", null, box, h("span", null, h("b", null, other.title), h("small", null, other.subtitle ?? "")),
          h("span.faint", null, `${plural(other.count, "report")}, ${when(other.last)}`)));
      }) : h("li.faint", null, field.value ? "No other issue of this kind matches." : "There is no other issue of this kind."));
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
    }
  }

  const before = document.activeElement;
  dialog.addEventListener("close", () => { dialog.remove(); before?.focus?.(); });
  dialog.showModal();
  load();
}
