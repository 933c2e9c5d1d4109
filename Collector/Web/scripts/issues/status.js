// What people decide about an issue: open, resolved, ignored; and whether it came back.

import { fill, h } from "../base/dom.js";
import { when } from "../base/format.js";
import { send } from "../base/send.js";

export const statuses = [["open", "Open"], ["regressed", "Regressed"], ["resolved", "Resolved"], ["ignored", "Ignored"], ["all", "All statuses"]];
export const orders = [["last", "Last seen"], ["first", "First seen"], ["count", "Most reports"], ["sessions", "Most sessions"]];

const path = (id) => `issues/${encodeURIComponent(id)}`;

/** @returns {Promise<object>} the issue as it is then */
export const decide = (id, status, after = null) => send("PUT", `${path(id)}/status`, after ? { status, after } : { status });

/** Takes the last decision back. @returns {Promise<object>} the issue as it is then */
export const undo = (id) => send("POST", `${path(id)}/undo`);

/** The status in words, after something was decided. */
export const decided = (status) => ({ resolved: "Resolved", ignored: "Ignored", open: "Reopened" })[status] ?? status;

/** Whether an issue is called by what the developer wrote: then type and function stand below. */
export const isSaid = ({ title, cause, culprit }) => title !== (culprit ? `${cause} in ${culprit}` : cause);

/** A mark beside an issue's title; nothing for what is simply open. */
export function mark(issue) {
  if (issue.regressedAt) return h("span.tag.regressed", { title: `Regressed ${when(issue.regressedAt)}${issue.regressedIn ? ` in ${issue.regressedIn}` : ""}` }, "Regressed");
  if (issue.status === "resolved") return h("span.tag.resolved", null, issue.resolvedIn ? `Resolved in ${issue.resolvedIn}` : issue.resolvedAfter ? `Resolved after ${issue.resolvedAfter}` : "Resolved");
  if (issue.status === "ignored") return h("span.tag", null, "Ignored");
  return null;
}

/** The buttons on an issue's page, and who decided what. */
export class StatusBar {
  element = h("div.status-bar", { role: "group", aria: { label: "Status" } });
  #issue;
  #onChange;
  #onError;
  #onMerge;
  /** Somebody decided here, and may take it back. */
  #canUndo = false;

  constructor(issue, { onChange, onError, onMerge }) {
    this.#issue = issue;
    this.#onChange = onChange;
    this.#onError = onError;
    this.#onMerge = onMerge;
    this.#draw();
  }

  set(issue) {
    this.#issue = issue;
    this.#draw();
  }

  /** Resolves what is not, and opens what is. */
  toggle() { this.#set(this.#issue.status === "resolved" ? "open" : "resolved"); }
  toggleIgnored() { this.#set(this.#issue.status === "ignored" ? "open" : "ignored"); }
  undo() { if (this.#canUndo) this.#change(undo(this.#issue.id), false); }

  #set(status, after = null) { return this.#change(decide(this.#issue.id, status, after), true); }

  async #change(change, canUndo) {
    try {
      this.#issue = { ...this.#issue, ...await change };
      this.#canUndo = canUndo;
      this.#draw();
      this.#onChange(this.#issue);
    } catch (error) {
      this.#onError(error);
      fill(this.element, h("p.error", { role: "alert" }, error.message));
    }
  }

  #draw() {
    const { status, versions, changedAt, changedBy, regressedAt } = this.#issue;
    const hadFocus = this.element.contains(document.activeElement);
    const newest = Object.keys(versions).sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))[0];
    const button = (text, title, act, tone = "") => h(`button.small${tone}`, { type: "button", title, onClick: act }, text);
    fill(this.element,
      status === "open" ? [
        button("Resolve", "Reopens if it happens again (r)", () => this.#set("resolved"), ".primary"),
        newest ? button(`Resolve after ${newest}`, "Reports from this version or earlier don't reopen it", () => this.#set("resolved", newest)) : null,
        button("Ignore", "Hides it from the list (x)", () => this.#set("ignored"))]
        : button("Reopen", "(r)", () => this.#set("open"), ".primary"),
      button("Merge…", "Merge other issues into this one", () => this.#onMerge()),
      this.#canUndo ? button("Undo", "Undo the last decision (z)", () => this.undo()) : null,
      mark(this.#issue),
      changedAt && (status !== "open" || regressedAt) ? h("span.faint", null, `${status === "open" ? "Previously resolved" : ""} ${when(changedAt)} by ${changedBy}`) : null);
    if (hadFocus) this.element.querySelector("button")?.focus();
  }
}
