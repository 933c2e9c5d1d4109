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
  app ? h("p", null, h("code", null, app), " is not connected. It appears here as soon as it is.") : null,
  h("p", null, "You can inspect an app's storage while a debug build of it runs in the foreground and delivers to this collector."),
  snippet("In the app, after AutoMobileSDK.shared.initialize", [...switches.databases, ...switches.defaults]),
  h("p.faint", null, "Running, but not listed? ", h("code", null, "AutoMobileConfiguration.remoteCommands"),
    " must not be .none, and ", h("code", null, "automobile doctor"), " finds other problems."));

/** It runs and delivers, and takes no commands. @param {string} app */
export const silent = (app) => page("This app takes no commands",
  h("p", null, h("code", null, app), " delivers to this collector, but has not asked for commands. Release builds don't: storage can be inspected in debug builds only."),
  h("p", null, "Run a debug build of it: in Xcode, ", h("em", null, "Product ▸ Scheme ▸ Edit Scheme ▸ Run ▸ Build Configuration ▸ Debug"), "."),
  h("p.faint", null, "Already a debug build? Then ", h("code", null, "AutoMobileConfiguration.remoteCommands"), " is ", h("code", null, ".none"),
    ", or the app was started a moment ago: it appears here after its first delivery."));

/** An app whose SDK does not know the question. */
export const unknown = (app) => page("This build is too old",
  h("p", null, h("code", null, app), " was built with an SDK that does not support databases and defaults. Update it and restart the app."));

/** @param {"databases"|"defaults"} what */
export const switchedOff = (what, message, retry) => page(what === "databases" ? "Databases are switched off" : "Defaults are switched off",
  h("p", null, "The app does not allow them to be inspected until you switch it on:"),
  snippet("In the app, after AutoMobileSDK.shared.initialize", switches[what]),
  h("p.faint", null, message), again(retry));

export const failed = (message, retry) => page("Something went wrong", h("p", null, message), again(retry));

const again = (retry) => h("p", null, h("button.small", { type: "button", onClick: retry }, "Try again"));

export const nothing = (title, text) => page(title, h("p", null, text));

export const loading = () => h("div.notice", { role: "status" }, h("span.spinner"), "Waiting for the app…");
