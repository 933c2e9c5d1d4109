// The list keeps up with the playhead: at once when somebody has chosen a moment, at intervals while the playhead moves by itself
// or with a hand.

import { paced } from "../base/dom.js";

/** How often, in ms: with every frame hundreds of rows go by, and nobody reads them. */
const interval = 150;

export class ListFollower {
  #list;
  #playhead;
  #data;
  #isHeld;
  #later;

  /** @param {{list, playhead, data, isHeld: () => boolean, signal: AbortSignal}} options `isHeld`: the list stays where it is. */
  constructor({ list, playhead, data, isHeld, signal }) {
    this.#list = list;
    this.#playhead = playhead;
    this.#data = data;
    this.#isHeld = isHeld;
    this.#later = paced(interval, () => { if (!signal.aborted) this.#follow("scrub"); });
  }

  /** The playhead has moved; `by` says what moved it. */
  moved(by) {
    if (by === "scrub" || by === "play") this.#later();
    else this.#follow(by);
  }

  #follow(by) {
    if (by !== "list" && !this.#isHeld()) this.#list[by === "scrub" ? "approach" : "reveal"](this.#list.source.rowAt?.(this.#playhead.placeIn(this.#data.outline)) ?? -1);
    this.#list.follow();
  }
}
