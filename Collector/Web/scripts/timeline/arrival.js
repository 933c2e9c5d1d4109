// Where a session opens: at the place in its address, else at its first error, else at its first picture.

/** As one moves the playhead on arriving: nobody has gone anywhere yet. */
const by = "arrival";

export class Arrival {
  #data;
  #playhead;
  #isCovering;
  #on;
  /** Nobody has moved the playhead since. */
  #isFresh = false;
  /** An event whose panel waits for whether there is a replay: it would lie over it. */
  #held = null;
  /** The error that was chosen for whoever arrives. */
  #chosen = null;

  /**
   * @param {{data, playhead, isCovering: (isAsked: boolean) => boolean, onPick: (place: number) => void, onShow: (place: number) => void,
   *   onOpen: (id: string) => void, onFollow: () => void, onTime: (time: number) => void}} options
   *   `isCovering`: whether the panel of an event would lie over what one came for; `onShow`: scrolls the list to an event; `onOpen`: opens its panel
   */
  constructor({ data, playhead, isCovering, ...on }) {
    this.#data = data;
    this.#playhead = playhead;
    this.#isCovering = isCovering;
    this.#on = on;
    playhead.subscribe((_, event, mover) => {
      if (mover === by) return;
      this.#isFresh = false;
      this.#held = null;
      if (event !== this.#chosen) this.#chosen = null;
    });
  }

  /** Whether what is open was chosen by nobody: then there is nothing to close before one leaves. */
  get isUntouched() { return this.#chosen !== null && this.#playhead.event === this.#chosen; }

  touched() { this.#chosen = null; }

  /** The events are here. @param {{event: string|null, time: number|null}} wanted  by the address */
  go({ event, time }) {
    const { outline, session } = this.#data;
    const at = event === null ? -1 : outline.indexOf(event);
    if (at >= 0) return this.#event(at, true);
    if (time !== null) return this.#on.onTime(time);
    if (event === null && session.live) return this.#on.onFollow();
    const error = outline.firstError;
    if (error >= 0) return this.#event(error, false);
    this.#playhead.move(outline.start, { by });
    this.#isFresh = true;
  }

  /** @param {boolean} isAsked  by the address: without a replay its panel opens in any case */
  #event(at, isAsked) {
    const { outline } = this.#data;
    if (!this.#isCovering(isAsked)) {
      this.#on.onPick(at);
      this.#chosen = isAsked ? null : String(outline.ids[at]);
      return;
    }
    // Chosen all the same: of several events at one time it is this one.
    const event = String(outline.ids[at]);
    this.#held = isAsked ? event : null;
    this.#chosen = isAsked ? null : event;
    this.#playhead.move(outline.times[at], { event, by });
    this.#on.onShow(at);
  }

  /** It is known whether there is a replay. */
  looked() {
    const { recording, outline } = this.#data;
    const { time, event } = this.#playhead;
    if (this.#held !== null && recording.isEmpty && event === this.#held) this.#on.onOpen(event);
    this.#held = null;
    if (this.#isFresh && !recording.isEmpty && time < recording.firstPicture) this.#playhead.move(Math.min(recording.firstPicture, outline.end), { by });
    this.#isFresh = false;
  }
}
