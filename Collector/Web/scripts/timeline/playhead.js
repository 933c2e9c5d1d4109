// The one moment that all of the session page is about: the tracks, the lists, the panel, and a replay follow it.

export class Playhead {
  #time = 0;
  #event = null;
  #by = null;
  #listeners = new Set();
  #frame = 0;

  /** In milliseconds since 1970. */
  get time() { return this.#time; }
  /** The event that was chosen at this moment; null when only the moment was. */
  get event() { return this.#event; }

  /** The event that it is at, or that was the last one before: of several at one time the one that was chosen. */
  placeIn(outline) {
    const chosen = this.#event === null ? -1 : outline.indexOf(this.#event);
    return chosen >= 0 ? chosen : outline.at(this.#time);
  }

  /**
   * Goes to a moment. Who listens hears of it with the next frame, once however often it moved until then.
   *
   * @param {number} time
   * @param {{event?: string|null, by?: unknown}} about  `by`: who moved it, so that it need not follow itself
   */
  move(time, { event = null, by = null } = {}) {
    if (!Number.isFinite(time) || (time === this.#time && event === this.#event)) return;
    this.#time = time;
    this.#event = event;
    this.#by = by;
    this.#frame ||= requestAnimationFrame(() => this.flush());
  }

  /** Tells those who listen now, where waiting for a frame would be wrong. */
  flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const listener of this.#listeners) listener(this.#time, this.#event, this.#by);
  }

  /** @param {(time: number, event: string|null, by: unknown) => void} listener  @returns {() => void} ends it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
