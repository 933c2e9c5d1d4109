// Loads a session, and keeps it current while it runs: its outline at once, what is new as the collector tells of it.

import * as api from "../base/api.js";
import { tail } from "../base/tail.js";

/** Between looks at the session itself, in ms: its numbers, whether it runs, whether the collector answers. */
const interval = 2000;

export class Loader {
  #id;
  #outline;
  #details;
  #signal;
  #on;
  #timer = 0;
  #isAsking = false;
  #isStale = false;
  #isLoaded = false;
  #isListening = false;

  /**
   * @param {{id: string, outline, details, signal: AbortSignal, onSession: (session: object) => void, onEvents: (n: number) => void,
   *   onState: (error: Error|null) => void, onTail: (state: string) => void}} options
   */
  constructor({ id, outline, details, signal, ...on }) {
    this.#id = id;
    this.#outline = outline;
    this.#details = details;
    this.#signal = signal;
    this.#on = on;
  }

  get path() { return `sessions/${encodeURIComponent(this.#id)}`; }

  /** May be called again when it failed. @throws when the session cannot be loaded */
  async load() {
    // The tail first: what happens while the outline loads must not fall between the two.
    this.#listen();
    const [session, outline] = await Promise.all([api.get(this.path, {}, this.#signal), api.get(`${this.path}/outline`, {}, this.#signal)]);
    this.#outline.add(outline);
    this.#isLoaded = true;
    this.#on.onSession(session);
    this.#on.onState(null);
    this.#watch();
    if (this.#isStale) this.#later();
  }

  #listen() {
    if (this.#isListening) return;
    this.#isListening = true;
    tail({ session: this.#id }, {
      signal: this.#signal,
      onEvent: (event) => { this.#details.add(event); this.#later(); },
      onState: (state) => { this.#on.onTail(state); if (state === "live") this.#later(); },
    });
  }

  /** Ids of events that hold these words. */
  async find(text, signal) {
    const { ids } = await api.get(`${this.path}/outline`, { q: text }, signal);
    const found = new Set();
    let id = 0;
    for (const by of ids) found.add(id += by);
    return found;
  }

  /** The longer the session, the rarer it is asked: following a burst must not take all of the processor. */
  #later() {
    this.#isStale = true;
    if (!this.#isLoaded) return;
    this.#timer ||= setTimeout(() => { this.#timer = 0; this.#ask(); }, Math.min(60 + this.#outline.length / 50, 1000));
  }

  async #ask() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#isStale = false;
    try {
      const added = this.#outline.add(await api.get(`${this.path}/outline`, { newer: this.#outline.newest }, this.#signal));
      if (added) this.#on.onEvents(added);
    } catch { /* the tail comes back, and then it is asked again */ }
    this.#isAsking = false;
    if (this.#isStale) this.#later();
  }

  #watch() {
    setTimeout(async () => {
      if (this.#signal.aborted) return;
      if (!document.hidden) {
        try {
          this.#on.onSession(await api.get(this.path, {}, this.#signal));
          this.#on.onState(null);
        } catch (error) {
          if (error.name === "AbortError") return;
          this.#on.onState(error);
        }
      }
      this.#watch();
    }, interval);
  }
}
