// What the page says while there is nothing to look at, and what to do about it.

import { copyFrom, h } from "../base/dom.js";

const switches = {
  databases: ["DatabaseInspector.shared.setEnabled(true)"],
  defaults: ["UserDefaultsInspector.shared.setEnabled(true)"],
};

const page = (title, ...parts) => h("div.empty", { role: "status" }, h("h1", null, title), parts);

function snippet(title, lines) {
  const code = lines.join("\n");
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, code) }, "Copy");
  return h("figure.snippet", null, h("figcaption", null, title, h("span.spring"), copy), h("pre", null, code));
}

/** Nobody listens. @param {string} app  the one that is waited for, or "" */
export const nobody = (app) => page(app ? "This app is not connected" : "No app is connected",
  app ? h("p", null, h("code", null, app), " does not listen at this moment. It appears here as soon as it does.") : null,
  h("p", null, "The storage of an app can be looked at while a debug build of it runs, delivers to this collector, and is in the foreground."),
  snippet("In the app, after AutoMobileSDK.shared.initialize", [...switches.databases, ...switches.defaults]),
  h("p.faint", null, "It runs, and still is not here? ", h("code", null, "AutoMobileConfiguration.remoteCommands"),
    " must not be .none, and ", h("code", null, "automobile doctor"), " finds what else is wrong."));

/** It runs and delivers, and takes no commands. @param {string} app */
export const silent = (app) => page("This app takes no commands",
  h("p", null, h("code", null, app), " delivers to this collector, and has not asked for commands. Release builds do not: what an app stores can be looked at in debug builds only."),
  h("p", null, "Run a debug build of it: in Xcode, ", h("em", null, "Product ▸ Scheme ▸ Edit Scheme ▸ Run ▸ Build Configuration ▸ Debug"), "."),
  h("p.faint", null, "It is one? Then ", h("code", null, "AutoMobileConfiguration.remoteCommands"), " is ", h("code", null, ".none"),
    ", or the app was started a moment ago: it asks after its first delivery, and appears here as soon as it does."));

/** An app whose SDK does not know the question. */
export const unknown = (app) => page("This build cannot be asked",
  h("p", null, h("code", null, app), " was built with an SDK that does not know databases and defaults. Update it, and start the app again."));

/** @param {"databases"|"defaults"} what */
export const switchedOff = (what, message, retry) => page(what === "databases" ? "Databases are switched off" : "Defaults are switched off",
  h("p", null, "The app does not let them be looked at. That is how it is until somebody switches it on:"),
  snippet("In the app, after AutoMobileSDK.shared.initialize", switches[what]),
  h("p.faint", null, message), again(retry));

export const failed = (message, retry) => page("That did not work", h("p", null, message), again(retry));

const again = (retry) => h("p", null, h("button.small", { type: "button", onClick: retry }, "Try again"));

export const nothing = (title, text) => page(title, h("p", null, text));

export const loading = () => h("div.notice", { role: "status" }, h("span.spinner"), "Asking the app…");
