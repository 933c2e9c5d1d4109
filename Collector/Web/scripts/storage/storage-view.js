// The storage of a running app: its databases and its defaults.

import { fill, h } from "../base/dom.js";
import * as route from "../base/route.js";
import { AppConnection, listeners, silentApp } from "./app-commands.js";
import { Databases } from "./databases.js";
import { Defaults } from "./defaults.js";
import * as states from "./states.js";

/** How often it is asked who listens, in ms. */
const interval = 2000;

export class StorageView {
  #place;
  #onState;
  #live = new AbortController();
  #apps = [];
  /** The one that is looked at; null while it is not there. */
  #app = null;
  /** One that delivers, and takes no commands. */
  #silent = null;
  #part = null;
  #isAsked = false;
  #bar = h("div.storage-bar");
  #body = h("div.storage-page", { data: { scrolls: "" } });
  #choice = h("select", { aria: { label: "App" }, onChange: () => this.#choose(this.#choice.value) });
  #sign = h("span.live", { hidden: true }, "Connected");

  /** @param {{element: HTMLElement, place: object, onState: (error: Error|null) => void}} options */
  constructor({ element, place, onState }) {
    this.#place = place;
    this.#onState = onState;
    fill(element, this.#bar, this.#body);
    this.#drawBar();
    fill(this.#body, states.loading());
    this.#poll();
  }

  get place() { return this.#place; }
  close() { this.#live.abort(); this.#part?.close(); }
  focusFilter() { this.#part?.focusFilter?.(); }
  step(by) { this.#part?.step?.(by); }
  edge(last) { this.#part?.edge?.(last); }

  /** Goes to another place of the same page. */
  visit(place) {
    const { app, of } = this.#place;
    Object.assign(this.#place, place);
    if (place.app !== app) this.#settle();
    else if (place.of !== of) this.#show();
    else this.#part?.visit(this.#place);
    this.#drawBar();
  }

  async #poll() {
    while (!this.#live.signal.aborted) {
      try {
        if (!document.hidden) {
          const { apps, left } = await listeners(this.#live.signal);
          this.#apps = apps;
          this.#silent = this.#found ? null : await silentApp(this.#wanted, left, this.#live.signal);
          this.#onState(null);
          this.#isAsked = true;
          this.#settle();
        }
      } catch (error) {
        if (error.name === "AbortError") return;
        this.#onState(error);
      }
      await new Promise((resolve) => { setTimeout(resolve, interval); });
    }
  }

  get #wanted() { return this.#place.app || this.#apps[0]?.bundleId || ""; }

  /** The app that is meant among those that listen; of several launches the latest. */
  get #found() { return this.#apps.find(({ bundleId }) => bundleId === this.#wanted); }

  #settle() {
    const wanted = this.#wanted;
    const found = this.#found;
    this.#sign.hidden = !found;
    if (!found) {
      this.#drawBar();
      // What was shown last stays, and says so: the app may be back in a moment.
      if (this.#app && this.#app.bundleId === wanted) return this.#part?.setConnected?.(false);
      this.#leave();
      // What was asked for another app is not said of this one.
      const silent = !wanted || this.#silent === wanted ? this.#silent : null;
      const state = `${silent ?? ""} ${wanted}`;
      if (this.#body.querySelector(".state")?.dataset.of !== state) {
        fill(this.#body, h("div.state", { data: { of: state } }, silent ? states.silent(silent) : states.nobody(wanted)));
      }
      return;
    }
    if (!this.#place.app) {
      this.#place.app = wanted;
      route.replace(this.#place);
    }
    this.#drawBar();
    if (this.#app?.launchId === found.launchId) return this.#part?.setConnected?.(true);
    this.#leave();
    this.#app = new AppConnection(found);
    this.#show();
  }

  #leave() {
    this.#part?.close();
    this.#part = null;
    this.#app = null;
  }

  #show() {
    this.#part?.close();
    this.#part = null;
    if (!this.#app) return;
    const isDefaults = this.#place.of === "defaults";
    if (!this.#app.knows(isDefaults ? "defaults.list" : "databases")) return fill(this.#body, states.unknown(this.#app.bundleId ?? this.#app.launchId));
    const Part = isDefaults ? Defaults : Databases;
    this.#part = new Part({
      element: this.#body, app: this.#app, place: this.#place,
      // A step in the history for where one goes, none for how it is looked at.
      onGo: (changes) => route.go({ ...this.#place, ...changes }),
      onReplace: (changes) => { Object.assign(this.#place, changes); route.replace(this.#place); },
    });
  }

  #choose(app) { route.go({ view: "storage", app, of: this.#place.of }); }

  #drawBar() {
    const bundles = [...new Set(this.#apps.map(({ bundleId }) => bundleId).filter(Boolean))].sort();
    const chosen = this.#place.app;
    const options = chosen && !bundles.includes(chosen) ? [chosen, ...bundles] : bundles;
    const drawn = [this.#isAsked, ...options].join("\n");
    if (drawn !== this.#choice.dataset.options) {
      this.#choice.dataset.options = drawn;
      fill(this.#choice, options.length ? options.map((bundle) => h("option", { value: bundle }, bundle))
        : h("option", { value: "" }, this.#isAsked ? "No app is connected" : "Looking for apps…"));
    }
    this.#choice.value = chosen || bundles[0] || "";
    this.#choice.disabled = options.length < 2;
    if (this.#bar.childElementCount === 0) {
      fill(this.#bar, h("label.app-choice", null, this.#choice), this.#sign, h("span.spring"), h("div.choices", { role: "group", aria: { label: "Show" } },
        this.#kind("Databases", ""), this.#kind("Defaults", "defaults")));
    }
    for (const button of this.#bar.querySelectorAll("[data-of]")) {
      button.setAttribute("aria-pressed", String(button.dataset.of === this.#place.of));
    }
  }

  #kind(label, of) {
    return h("button", {
      type: "button", data: { of }, aria: { pressed: "false" },
      onClick: () => { if (this.#place.of !== of) route.go({ view: "storage", app: this.#place.app, of }); },
    }, label);
  }
}
