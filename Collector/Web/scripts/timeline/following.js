// Following a session that still runs: with its end, or with its replay, as long as nobody looks elsewhere.

import { h } from "../base/dom.js";
import { plural } from "../base/format.js";

/** A list that moves so long after a hand turned the wheel was moved by that hand, in ms. */
const hand = 1000;

export class Following {
  /** Leads to what is new. */
  button = h("button.fresh", { type: "button", hidden: true, onClick: () => this.set(true) });
  isOn = false;
  #unseen = 0;
  #wheeled = -Infinity;
  #data;
  #live;
  #list;
  #playhead;
  #viewport;
  #onChange;

  /** @param {{data, live: import("../replay/live.js").Live, list, playhead, viewport, onChange: (isOn: boolean) => void}} options */
  constructor({ data, live, list, playhead, viewport, onChange }) {
    this.#data = data;
    this.#live = live;
    this.#list = list;
    this.#playhead = playhead;
    this.#viewport = viewport;
    this.#onChange = onChange;
    playhead.subscribe((_, event, by) => { if (this.isOn && by !== "follow" && by !== "play") this.set(false); });
  }

  set(isOn) {
    if (isOn && !this.isOn) this.#onChange(true);
    this.isOn = isOn;
    this.#unseen = 0;
    this.draw();
    if (isOn) this.go();
    else {
      this.#live.stop();
      this.#onChange(false);
    }
  }

  stop() { if (this.isOn) this.set(false); }

  /** To what is newest: of a replay the playhead goes on by itself. */
  go() {
    if (!this.isOn) return;
    const { outline, recording, session } = this.#data;
    if (!recording.isEmpty && session?.live) return this.#live.start();
    this.#playhead.move(outline.end, { by: "follow" });
    this.#viewport.reveal(outline.end);
    this.#list.toEnd();
  }

  /** So many events have come. */
  grown(n) { if (!this.isOn) this.#unseen += n; }

  wheel() { this.#wheeled = performance.now(); }

  /** The list was scrolled: it follows only as long as one stays at the end. */
  scrolled() {
    const { isAtEnd } = this.#list;
    if (this.isOn && !isAtEnd && performance.now() - this.#wheeled < hand) this.set(false);
    if (isAtEnd && this.#unseen) {
      this.#unseen = 0;
      this.draw();
    }
  }

  draw() {
    this.button.hidden = this.isOn || !this.#unseen;
    this.button.textContent = `${plural(this.#unseen, "new event")} ↓`;
  }
}
