// Who is signed in, at the end of the bar, and how they go.

import { hasKey } from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { preciseTime, when } from "../base/format.js";
import { icon } from "../base/icons.js";
import { send } from "../base/send.js";
import { state } from "./ways.js";

const words = { viewer: "Reads", operator: "Reads and decides", admin: "May do everything" };

/** "Reads com.example.shop; reads and decides everywhere". */
const grantText = (grants) => grants.map(({ role, project }) =>
  role === "admin" ? words.admin : `${words[role]}: ${project ?? "all projects"}`).join(" · ");

class Account {
  element = h("span.account");
  #session = null;
  #sessions = [];

  /** Says nothing when nobody is signed in: on a laptop nobody needs to. */
  async load() {
    try {
      const { session, sessions } = await state();
      [this.#session, this.#sessions] = [session, sessions];
    } catch { /* the pages say what is wrong */ }
    fill(this.element, this.#session && !hasKey()
      ? h("button.plain.account-button", { type: "button", title: `Signed in as ${this.#session.name}`, onClick: () => this.#open() }, icon("person"), h("span", null, this.#session.name))
      : null);
  }

  get commands() {
    return this.#session && !hasKey()
      ? [{ title: "Account", group: "Everywhere", hint: this.#session.name, run: () => this.#open() }, { title: "Sign out", group: "Everywhere", run: () => this.#signOut({}) }]
      : [];
  }

  async #signOut(body) {
    await send("POST", "sign-out", body);
    location.reload();
  }

  #open() {
    const { name, grants, endsAt } = this.#session;
    const note = h("p.note", { role: "status" });
    const list = h("ul.sign-ins");
    const attempt = async (act) => {
      try { await act(); } catch (error) { note.className = "note error"; note.textContent = error.message; }
    };
    const show = () => fill(list, this.#sessions.map((one) => h("li", null,
      h("span", { title: one.browser ?? "" }, browserName(one.browser), one.address ? h("span.faint", null, ` from ${one.address}`) : null),
      h("span.faint", { title: preciseTime(one.lastSeenAt) }, one.id === this.#session.id ? "this browser" : `seen ${when(one.lastSeenAt)}`),
      one.id === this.#session.id ? null : h("button.small", { type: "button", aria: { label: `Sign out ${browserName(one.browser)}` }, onClick: () => attempt(async () => {
        await send("POST", "sign-out", { session: one.id });
        await this.load();
        show();
      }) }, "Sign out"))));
    show();
    const dialog = document.body.appendChild(h("dialog.account-dialog", { aria: { label: "Account" } },
      h("h2", null, name), h("p", null, grantText(grants)),
      h("p.faint", { title: preciseTime(endsAt) }, "Ends when it is not used for a while."),
      h("h3", null, "Signed in"), list, note,
      h("div.answers", null,
        h("button.small", { type: "button", onClick: () => dialog.close() }, "Close"),
        this.#sessions.length > 1 ? h("button.small", { type: "button", onClick: () => attempt(() => this.#signOut({ everywhere: true })) }, "Sign out everywhere") : null,
        h("button.small.primary", { type: "button", onClick: () => attempt(() => this.#signOut({})) }, "Sign out"))));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
  }
}

/** What a browser calls itself, in two words; the whole is shown beside. */
function browserName(text) {
  const [, name] = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(text ?? "") ?? [];
  const [, system] = /(Windows|Mac OS X|iPhone|iPad|Android|Linux)/.exec(text ?? "") ?? [];
  return [{ Edg: "Edge", OPR: "Opera" }[name] ?? name ?? "A browser", system === "Mac OS X" ? "macOS" : system].filter(Boolean).join(", ");
}

export const account = new Account();
