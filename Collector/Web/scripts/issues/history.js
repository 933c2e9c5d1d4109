// Who did what with an issue, and when; and what people have to say about it.

import { author, setAuthor } from "../base/author.js";
import { fill, h } from "../base/dom.js";
import { preciseTime, when } from "../base/format.js";
import * as route from "../base/route.js";

/** What is said of a change; the author's name stands before it. */
const phrases = {
  status: (value) => statusPhrase(value),
  regressed: ({ version }) => version ? `Regressed in ${version}` : "Regressed",
  assignee: ({ assignee }) => assignee ? ["assigned it to ", h("b", null, assignee)] : "unassigned it",
  link: ({ link }) => link ? ["linked ", outside(link)] : "removed the link",
  comment: () => "commented",
  merged: ({ title, issue }) => ["merged ", h("q", { title: issue }, title ?? issue), " into it"],
  split: ({ title, issue }) => ["unmerged ", h("a", { href: route.address({ view: "issue", issue }) }, title ?? issue)],
  undone: ({ value }) => `undid ${{ resolved: "resolving", ignored: "ignoring" }[value?.status] ?? "reopening"} it`,
};

function statusPhrase({ status, resolvedIn, resolvedAfter }) {
  if (status === "resolved") return resolvedIn ? `resolved it in ${resolvedIn}` : resolvedAfter ? `resolved it in the version after ${resolvedAfter}` : "resolved it";
  return status === "ignored" ? "ignored it" : "reopened it";
}

/** A link out of here: only to what is an address, whatever the collector says. */
export function outside(address) {
  if (!/^https?:\/\//i.test(address)) return h("span", null, address);
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address.replace(/^https?:\/\//i, "").slice(0, 60));
}

export class History {
  element = h("details.history");
  #list = h("ol");
  #summary = h("summary");
  #field = h("textarea", { rows: 2, maxLength: 4000, placeholder: "Comment", aria: { label: "Comment" } });
  #name = h("input", { type: "text", maxLength: 80, value: author(), autocomplete: "name", placeholder: "Your name", onChange: () => setAuthor(this.#name.value) });
  #error = h("p.error", { role: "alert", hidden: true });

  /** @param {(text: string) => Promise<void>} onComment  throws when it was refused */
  constructor(onComment) {
    fill(this.element, this.#summary, this.#list,
      h("form.comment", { onSubmit: async (event) => {
        event.preventDefault();
        setAuthor(this.#name.value);
        if (!this.#field.value.trim()) return this.#field.focus();
        try {
          await onComment(this.#field.value);
          this.#field.value = "";
          this.#error.hidden = true;
        } catch (error) {
          this.#error.textContent = error.message;
          this.#error.hidden = false;
        }
      } }, this.#field, h("div.answers", null, h("label.setting", null, h("span", null, "as"), this.#name), h("button.small", null, "Comment")), this.#error));
  }

  /** Opens it, for a comment. */
  write() {
    this.element.open = true;
    this.#field.focus();
  }

  set(changes) {
    const comments = changes.filter(({ what }) => what === "comment").length;
    fill(this.#summary, changes.length ? `History (${changes.length})` : "History and comments",
      comments ? h("span.faint", null, `, ${comments} ${comments === 1 ? "comment" : "comments"}`) : null);
    fill(this.#list, changes.map(({ at, by, what, value }) => {
      const phrase = Object.hasOwn(phrases, what) ? phrases[what](value ?? {}) : what;
      return h("li", null, h("p", null, by ? [h("b", null, by), " "] : null, phrase, h("time", { title: preciseTime(at) }, when(at))),
        what === "comment" ? h("blockquote", null, value?.text ?? "") : null);
    }));
  }
}
