// Loads a session, and keeps it current while it runs: its outline at once, what is new as the collector tells of it.

import * as api from "../base/api.js";
import { tail } from "../base/tail.js";
import { packedOutline } from "../events/packed-outline.js";

/** Between looks at the session itself, in ms: its numbers, whether it runs, whether the collector answers. */
const interval = 2000;
/** Events that are read along with the outline. */
const first = 60;

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
    const [session, outline] = await Promise.all([api.get(this.path, {}, this.#signal), this.#ask({}), this.#readFirst()]);
    this.#outline.add(outline);
    this.#isLoaded = true;
    this.#on.onSession(session);
    this.#on.onState(null);
    this.#watch();
    if (this.#isStale) this.#later();
  }

  /** What a session begins with is looked at first, nearly always. */
  async #readFirst() {
    try {
      const { events } = await api.get(`${this.path}/events`, { limit: first }, this.#signal);
      for (const event of events) this.#details.add(event);
    } catch { /* then it is asked for when it is looked at */ }
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

  /** Ids of the events that a search finds, and what to mark in them. @throws what says why it cannot be read */
  async find(text, signal) {
    const { ids, marks = [] } = await api.get(`${this.path}/outline`, { q: text }, signal);
    const found = new Set();
    let id = 0;
    for (const by of ids) found.add(id += by);
    return { found, marks };
  }

  /** The longer the session, the rarer it is asked: following a burst must not take all of the processor. */
  #later() {
    this.#isStale = true;
    if (!this.#isLoaded) return;
    this.#timer ||= setTimeout(() => { this.#timer = 0; this.#refresh(); }, Math.min(60 + this.#outline.length / 50, 1000));
  }

  #ask(parameters) { return api.getBytes(`${this.path}/outline`, parameters, this.#signal, packedOutline); }

  async #refresh() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#isStale = false;
    try {
      const added = this.#outline.add(await this.#ask({ newer: this.#outline.newest }));
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
