// Who takes care of an issue, and where else it is kept: in an external tracker.

import { author } from "../base/author.js";
import { fill, h } from "../base/dom.js";
import { send } from "../base/send.js";
import { outside } from "./history.js";

export class Owners {
  element = h("div.owners", { role: "group", aria: { label: "Assignee and tracker" } });
  #issue;
  #onChange;
  #onError;
  #editing = null;

  constructor(issue, onChange, onError) {
    this.#issue = issue;
    this.#onChange = onChange;
    this.#onError = onError;
    this.#draw();
  }

  set(issue) {
    this.#issue = issue;
    if (!this.#editing) this.#draw();
  }

  assign() { this.#edit("assignee"); }

  #edit(what) {
    this.#editing = what;
    this.#draw();
    this.element.querySelector("input")?.select();
  }

  async #save(what, value) {
    try {
      const changed = await send("PUT", `issues/${encodeURIComponent(this.#issue.id)}/${what}`, { [what]: value || null });
      this.#editing = null;
      this.#onChange(changed);
      this.#draw();
      this.element.querySelector(`[data-edit=${what}]`)?.focus();
    } catch (error) {
      this.#onError(error);
      const place = this.element.querySelector(".error");
      if (place) {
        place.textContent = error.message;
        place.hidden = false;
      }
    }
  }

  #draw() {
    const { assignee, link, trackerUrl } = this.#issue;
    const edit = (what, text, label) => h("button.link", { type: "button", data: { edit: what }, aria: { label }, onClick: () => this.#edit(what) }, text);
    fill(this.element,
      h("span.owner", null, h("span.faint", null, "Assignee"), this.#editing === "assignee"
        ? this.#form("assignee", { value: assignee ?? author(), maxLength: 80, placeholder: "Name", aria: { label: "Assignee" } })
        : [assignee ? h("b", null, assignee) : h("span", null, "Nobody"), edit("assignee", assignee ? "Change" : "Assign", assignee ? "Change the assignee" : "Assign (a)")]),
      h("span.owner", null, h("span.faint", null, "Tracker"), this.#editing === "link"
        ? this.#form("link", { value: link ?? "", type: "url", maxLength: 2000, placeholder: "Address in your tracker", aria: { label: "Link to the tracker" } })
        : [link ? outside(link) : null,
          !link && trackerUrl ? h("a", { href: this.#tracker(trackerUrl), target: "_blank", rel: "noopener noreferrer" }, "Create there") : null,
          edit("link", link ? "Change" : "Add link", link ? "Change the link" : "Add a link to the tracker")]));
  }

  /** Where this page is, only this page knows. */
  #tracker(template) {
    const here = location.href.split("#")[0] + `#/issues/${encodeURIComponent(this.#issue.id)}`;
    const address = template.replaceAll("{url}", encodeURIComponent(here));
    return /^https?:\/\//i.test(address) ? address : "#";
  }

  #form(what, properties) {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: false, ...properties });
    const cancel = () => {
      this.#editing = null;
      this.#draw();
      this.element.querySelector(`[data-edit=${what}]`)?.focus();
    };
    return h("form.inline", {
      noValidate: true, onSubmit: (event) => { event.preventDefault(); this.#save(what, input.value.trim()); },
      onKeydown: (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        cancel();
      },
    }, input, h("button.small.primary", null, "Save"), h("button.small", { type: "button", onClick: cancel }, "Cancel"), h("p.error", { role: "alert", hidden: true }));
  }
}
