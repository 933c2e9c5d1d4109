// A recorded request once more: from the collector, where its operator allows the host, after a question.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { send } from "../base/send.js";
import { comparison } from "../network/compare.js";
import { addressOf } from "./address.js";

/** What was asked, without what came of it then: an answer that is text now is not base64 because the recorded one was. */
const asked = (payload) => Object.fromEntries(Object.entries(payload).filter(([name]) =>
  !/^(response|status|error)/.test(name) && !["timings", "transport", "durationMs", "contentType", "redirects", "unfinished"].includes(name)));

/** Asks, sends, and shows the answer beside the recorded one. */
export async function askToResend(event) {
  const payload = event.payload ?? {};
  const note = h("p", { role: "status" });
  const sendButton = h("button.small.primary", { type: "button", disabled: true, onClick: () => go() }, "Send");
  const cancel = h("button.small", { type: "button", onClick: () => dialog.close() }, "Cancel");
  const content = h("div.resend", null, h("h2", null, "Send this request again?"),
    h("p", null, h("code", null, `${payload.method ?? "GET"} ${addressOf(payload).whole}`)),
    note, h("div.answers", null, cancel, sendButton));
  const dialog = document.body.appendChild(h("dialog.resend-dialog", { aria: { label: "Send this request again" } }, content));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  try {
    const { hosts } = await api.get("resend");
    if (!hosts.length) {
      fill(note, "Resending is off. The operator can allow hosts: ", h("code", null, "automobile serve --resend-to HOST"));
      return;
    }
    fill(note, "The collector sends it from where it runs, with the recorded headers and body. Redacted headers are left out, redirects are not followed. Allowed: ",
      h("code", null, hosts.join(", ")));
    sendButton.disabled = false;
    sendButton.focus();
  } catch (error) {
    note.textContent = error.message;
  }

  async function go() {
    sendButton.disabled = true;
    note.textContent = "Sending…";
    try {
      const answer = await send("POST", `network/${encodeURIComponent(event.id)}/resend`);
      const now = { timestamp: Date.now(), payload: { ...asked(payload), ...answer } };
      now.payload.requestHeaders = Object.fromEntries(Object.entries(payload.requestHeaders ?? {}).filter(([name]) => !answer.withheld.includes(name)));
      dialog.classList.add("answered");
      fill(dialog, h("div.detail.resend-answer", null,
        answer.withheld.length ? h("p.advice", null, `Sent without: ${answer.withheld.join(", ")} (redacted when it was recorded)`) : null,
        comparison(event, now, { names: ["Recorded", "Now"], onClose: () => dialog.close() })));
      dialog.querySelector("h2").focus();
    } catch (error) {
      note.className = "error";
      note.textContent = error.message;
      cancel.focus();
    }
  }
}
