// Somebody has to sign in before the page that they are on can be shown.

import { h } from "../base/dom.js";
import { keyForm, linkHint, providerButton } from "./ways.js";

let asking = false;

/** Asks once, however many requests were refused. */
export function askToSignIn(onDone) {
  if (asking) return;
  asking = true;
  const note = h("p.note.error", { role: "status" });
  const dialog = document.body.appendChild(h("dialog.sign-in", { aria: { label: "Sign in" } },
    h("h2", null, "Sign in"), providerButton((error) => { note.textContent = error.message; }), note, linkHint(), keyForm(() => dialog.close())));
  dialog.addEventListener("close", () => { dialog.remove(); asking = false; onDone(); });
  dialog.showModal();
  dialog.querySelector("input").focus();
}
