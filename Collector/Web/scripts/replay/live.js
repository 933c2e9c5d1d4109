// A replay that is still being recorded, watched like a live stream: a little behind, since pictures come some seconds at a
// time. Where it runs dry it waits; where it falls too far behind it leaps to what is newest.

/** So far behind what is newest it leaps, in ms. */
const farthest = 45_000;
/** It begins so long before the newest picture, in ms: there is something to see at once, until more comes. */
const lead = 8000;

export class Live {
  isOn = false;
  #recording;
  #playhead;
  #clock;
  #onChange;

  /** @param {{recording, playhead, clock, onChange: () => void}} options */
  constructor({ recording, playhead, clock, onChange }) {
    this.#recording = recording;
    this.#playhead = playhead;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** The newest moment that can be seen. */
  get edge() { return this.#recording.end; }
  /** Whether it has to wait for the app. */
  get isWaiting() { return this.isOn && !this.#clock.isPlaying; }

  start() {
    if (this.isOn) return;
    this.isOn = true;
    this.#leap();
    this.#onChange();
  }

  stop() {
    if (!this.isOn) return;
    this.isOn = false;
    this.#clock.pause();
    this.#onChange();
  }

  /** The session is over: what is left of the replay plays to its end. */
  finish() {
    this.isOn = false;
    this.#onChange();
  }

  /** There is more than before. */
  update() {
    if (!this.isOn) return;
    if (this.edge - this.#playhead.time > farthest) this.#leap();
    else if (this.#playhead.time < this.edge) this.#clock.play();
  }

  #leap() {
    this.#playhead.move(Math.max(this.edge - lead, this.#recording.start), { by: "play" });
    this.#clock.play();
  }
}
