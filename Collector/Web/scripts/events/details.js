// Whole events, fetched when somebody looks at them, and kept as long as there is room.

import * as api from "../base/api.js";

const most = 20_000;
const batch = 200;
/** It is asked when nothing more was wanted for so long, and after so long anyway, in ms. */
const quiet = 40;
const patience = 160;

export class Details {
  #session;
  #signal;
  #onArrived;
  #events = new Map();
  #wanted = new Set();
  #asked = new Set();
  #isScheduled = false;
  #askedAt = -Infinity;
  #timer = 0;
  #latest = 0;

  /** @param {() => void} onArrived  some that were wanted are here */
  constructor(session, signal, onArrived) {
    this.#session = session;
    this.#signal = signal;
    this.#onArrived = onArrived;
  }

  /** An event that is here; one that is not is asked for. */
  get(id) {
    const event = this.#events.get(String(id));
    if (!event) this.want(id);
    return event;
  }

  /** An event that is here, and else nothing. */
  peek(id) { return this.#events.get(String(id)); }

  want(id) {
    const key = String(id);
    if (this.#asked.has(key) || this.#events.has(key)) return;
    this.#wanted.add(key);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#latest = performance.now() + patience;
    }
    // With all that the next frames ask for: who scrolls passes much by.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), performance.now() - this.#askedAt > patience ? 0 : Math.min(quiet, this.#latest - performance.now()));
  }

  /** Waits for an event; undefined when there is none of this number. */
  async load(id) {
    const key = String(id);
    if (!this.#events.has(key)) await this.#fetch([key]);
    return this.#events.get(key);
  }

  add(event) {
    event.id = String(event.id);
    this.#events.set(event.id, event);
    // The oldest go first: a map keeps the order in which it was filled.
    if (this.#events.size > most) for (const key of this.#events.keys()) {
      this.#events.delete(key);
      if (this.#events.size <= most * 0.8) break;
    }
  }

  async #ask() {
    this.#isScheduled = false;
    this.#askedAt = performance.now();
    // What was scrolled past is not worth asking for: the last ones wanted are what is seen.
    const ids = [...this.#wanted].slice(-batch);
    this.#wanted.clear();
    for (const id of ids) this.#asked.add(id);
    for (let start = 0; start < ids.length; start += batch) {
      try {
        await this.#fetch(ids.slice(start, start + batch));
      } catch (error) {
        if (error.name === "AbortError") return;
      }
    }
    for (const id of ids) this.#asked.delete(id);
    if (ids.length) this.#onArrived();
  }

  async #fetch(ids) {
    // Large events come in several pages.
    let after;
    do {
      const answer = await api.get(`sessions/${encodeURIComponent(this.#session)}/events`, { ids: ids.join(","), after }, this.#signal);
      for (const event of answer.events) this.add(event);
      after = answer.next;
    } while (after);
  }
}
