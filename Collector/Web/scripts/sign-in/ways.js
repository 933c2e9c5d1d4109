// The ways to sign in: a link, an identity provider, a key.

import { get, setKey } from "../base/api.js";
import { h } from "../base/dom.js";
import { send } from "../base/send.js";

/** What the collector says: which ways there are, and who is signed in here. */
export const state = () => get("sign-in");

/** Uses the token of a link up. */
export const signIn = (token) => send("POST", "sign-in", { token });

/**
 * Goes to the identity provider, when there is one; the place that is shown is come back to.
 *
 * @param {(error: Error) => void} onError
 */
export function providerButton(onError) {
  const place = h("div.sign-in-provider");
  state().then(({ provider }) => {
    if (!provider) return;
    const button = h("button.small.primary", { type: "button", onClick: async () => {
      button.disabled = true;
      try {
        location.assign((await send("POST", "sign-in/provider", { place: location.hash })).url);
      } catch (error) {
        button.disabled = false;
        onError(error);
      }
    } }, `Sign in with ${provider}`);
    place.append(button);
  }).catch(() => { /* the other ways are left */ });
  return place;
}

/** @param {() => void} onDone  called when the key is kept: whether it is good is found out by what is asked next */
export function keyForm(onDone) {
  const field = h("input", { type: "password", required: true, autocomplete: "current-password", placeholder: "Key", aria: { label: "Key" } });
  return h("form.sign-in-key", { method: "dialog", onSubmit: (event) => {
    event.preventDefault();
    setKey(field.value);
    onDone();
  } },
    field,
    h("button.small", null, "Open"),
    h("p.faint", null, "A key stays in this tab."));
}

/** How one gets a link. */
export const linkHint = () => h("p", null, "Open the link that was printed when the collector started, or ask for another one with ", h("code", null, "automobile sign-in"), ".");
