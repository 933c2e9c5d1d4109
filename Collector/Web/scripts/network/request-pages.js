// The requests that were found, a page at a time, and those that have come since.

import * as api from "../base/api.js";

const size = 200;

export class RequestPages {
  requests = [];
  /** Where the next page begins; null: there is none. */
  next = null;
  /** What is searched for, as the collector read it. */
  marks = [];
  isWholeWords = false;
  isLoading = false;
  /** Has come since, and is not shown. */
  unseen = [];
  #hasGap = false;
  #known = new Set();
  #asked;
  #abort = new AbortController();
  #loadingFor = null;

  /** @param {() => object} asked what is searched for, and in which order. */
  constructor(asked) { this.#asked = () => ({ ...asked(), limit: size }); }

  /** Ends when something else is asked for. */
  get signal() { return this.#abort.signal; }
  close() { this.#abort.abort(); }

  /** Something else is asked for. */
  reset() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.requests = [];
    this.#known = new Set();
    this.unseen = [];
    this.next = null;
    this.#hasGap = false;
  }

  /** The next page; pages can be empty when few of many match, and then the one after that is wanted. */
  async more(onPage) {
    if (this.isLoading && !this.#abort.signal.aborted && this.#loadingFor === this.#abort) return;
    const abort = this.#abort;
    this.#loadingFor = abort;
    this.isLoading = true;
    const before = this.requests.length;
    try {
      do {
        const answer = await api.get("network", { ...this.#asked(), before: this.next }, abort.signal);
        this.marks = answer.marks ?? [];
        this.#add(answer.requests);
        this.next = answer.next;
        this.isWholeWords = Boolean(answer.wholeWords);
        this.isLoading = this.next !== null && this.requests.length - before < size / 2;
        onPage();
      } while (this.isLoading);
    } finally {
      if (this.#loadingFor === abort) this.isLoading = false;
    }
  }

  /** Looks for what has come since; whether there is any. */
  async refresh() {
    const { requests, next } = await api.get("network", this.#asked(), this.#abort.signal);
    const waiting = new Set(this.unseen.map(({ id }) => id));
    const fresh = requests.filter(({ id }) => !this.#known.has(id) && !waiting.has(id));
    // More than a page has come: between these and those that are known there are others.
    if (next && fresh.length === requests.length && fresh.length) this.#hasGap = true;
    this.unseen.push(...fresh);
    return fresh.length > 0;
  }

  /** Puts what has come since among the others, by a member of theirs; false when there are more between them, which are not here. */
  show(key) {
    if (this.#hasGap) return false;
    this.#add(this.unseen);
    this.unseen = [];
    this.requests.sort((a, b) => b[key] - a[key] || b.id - a.id);
    return true;
  }

  #add(requests) {
    const fresh = requests.filter(({ id }) => !this.#known.has(id));
    for (const { id } of fresh) this.#known.add(id);
    this.requests.push(...fresh);
  }
}
