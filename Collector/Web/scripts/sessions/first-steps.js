// What stands in the place of the list while there is no session: how to begin.

import { copyFrom, fill, h } from "../base/dom.js";

/** What is shown, as long as it is: it is not drawn again under the hand that copies from it. */
export const firstSteps = {
  shown: null,
  show(element) {
    if (this.shown === element) return;
    this.shown = element;
    element.classList.add("first-steps");
    fill(element, begin());
  },
  hide() {
    this.shown?.classList.remove("first-steps");
    this.shown = null;
  },
};

function begin() {
  const swift = `import AutoMobileSDK

AutoMobileSDK.shared.initialize(
  bundleId: "com.example.app",
  configuration: AutoMobileConfiguration(
    endpoint: URL(string: "${location.origin}")
  )
)`;
  return h("div.empty", null,
    h("span.pulse"),
    h("h1", null, "Waiting for the first event"),
    h("p", null, "Point an app at this collector. What it records appears here as it happens, and what a killed app left behind appears when it starts again."),
    snippet("In the app, once, at its start", swift),
    snippet("Or watch the demo: an app that is killed, crashes and comes back", "make demo"),
    snippet("Nothing arrives? This says why", `automobile doctor --url ${location.origin}`),
    h("p.faint", null, "A phone cannot reach 127.0.0.1 of this machine: start the collector with ",
      h("code", null, "--host 0.0.0.0 --key …"), " and use this machine's address and the key."));
}

function snippet(title, code) {
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, code) }, "Copy");
  return h("figure.snippet", null, h("figcaption", null, title, h("span.spring"), copy), h("pre", { tabIndex: 0 }, code));
}
