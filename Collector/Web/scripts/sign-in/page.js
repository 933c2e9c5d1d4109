// /sign-in: where a link leads. Its token stands behind #, which browsers send to nobody, and is used up by a button only: who
// fetches the link beforehand, as filters of mail and previews do, signs nobody in.

import { fill, h } from "../base/dom.js";
import { keyForm, linkHint, providerButton, signIn } from "./ways.js";

export const isSignInPage = () => /\/sign-in$/.test(location.pathname);

export function showSignInPage(element) {
  document.body.dataset.view = "sign-in";
  document.title = "Sign in · AutoMobile";
  const parameters = new URLSearchParams(location.hash.slice(1));
  const token = parameters.get("token");
  const problem = parameters.get("problem");
  // From here on it stands neither in the address nor in the history.
  history.replaceState(null, "", location.pathname);
  const note = h("p.note", { role: "status" });
  const say = (text) => {
    note.className = "note error";
    note.textContent = text;
  };
  if (problem) say(Object.hasOwn(problems, problem) ? problems[problem] : problems.failed);
  const home = () => location.replace(new URL("./", location.href));
  const enter = async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      await signIn(token);
      home();
    } catch (error) {
      say(sentence(error));
      // A link works once, whatever comes of it; what went wrong on the way may go well now.
      button.disabled = error.status === 401;
    }
  };
  fill(element, h("main.sign-in-page", { tabIndex: -1 },
    h("div.sign-in-card", null,
      h("img", { src: document.querySelector("link[rel=icon]").href, alt: "", width: 40, height: 40 }),
      h("h1", null, "Sign in to AutoMobile"),
      token
        ? h("form", { onSubmit: enter }, h("p", null, "This link signs you in once, in this browser."), h("button.small.primary", null, "Sign in"))
        : [providerButton((error) => say(error.message)), linkHint()],
      note,
      h("details", { open: !token }, h("summary", null, "Use a key instead"), keyForm(home)))));
  element.querySelector(token ? "form button" : "input").focus();
}

/** What went wrong on the way back from the identity provider. */
const problems = {
  expired: "This sign-in took too long, or began in another browser. Try again.",
  denied: "The identity provider did not let you in.",
  untrue: "What the identity provider said could not be verified. An administrator finds the reason in the collector's log.",
  unavailable: "The identity provider is not responding. Links and keys still work.",
  stranger: "You are known to the identity provider, but nothing has been granted to you here. Ask an administrator.",
  busy: "Too many sign-ins went wrong. Try again in a few minutes.",
  failed: "The sign-in failed. Try again.",
};

const sentence = ({ status, message }) =>
  status === 401 ? "This link has been used already, or has expired. Ask for another one with “automobile sign-in”." : message;
