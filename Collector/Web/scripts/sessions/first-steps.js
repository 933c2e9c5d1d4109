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

AutoMobileCrashes.shared.enableSignalHandlers([.standard, .trap])
AutoMobileSDK.shared.initialize(
  bundleId: "com.example.app",
  configuration: AutoMobileConfiguration(
    endpoint: URL(string: "${location.origin}")
  )
)
AutoMobileNetwork.shared.startInterception()`;
  return h("div.empty", null,
    h("span.pulse"),
    h("h1", null, "Waiting for the first event"),
    h("p", null, "Point an app at this collector. Events appear here as they happen; what a killed app left behind appears at its next launch."),
    snippet("In the app, as early as you can", swift),
    snippet("Or run the demo: an app that is killed, crashes and comes back", "make demo"),
    snippet("No data? Run diagnostics", `automobile doctor --url ${location.origin}`),
    h("p.faint", null, "A phone cannot reach 127.0.0.1 on this machine: start the collector with ",
      h("code", null, "--host 0.0.0.0 --ingest-key-file …"), " and use this machine's address and the key."));
}

function snippet(title, code) {
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, code) }, "Copy");
  return h("figure.snippet", null, h("figcaption", null, title, h("span.spring"), copy), h("pre", { tabIndex: 0 }, code));
}
