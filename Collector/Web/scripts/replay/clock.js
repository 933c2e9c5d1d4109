// Moves the playhead while a replay plays.

/** Nothing for so long is inactivity, in ms; one is shown the last moment of it. */
const idle = 3000;
const lead = 600;

export class Clock {
  speed = 1;
  skips = true;
  #playhead;
  #end;
  #nextActivity;
  #onChange;
  #frame = 0;
  #last = 0;

  /** @param {{playhead, end: () => number, nextActivity: (time: number) => number, onChange: (isPlaying: boolean) => void}} options */
  constructor({ playhead, end, nextActivity, onChange }) {
    this.#playhead = playhead;
    this.#end = end;
    this.#nextActivity = nextActivity;
    this.#onChange = onChange;
  }

  get isPlaying() { return this.#frame !== 0; }

  play() {
    if (this.isPlaying) return;
    this.#last = performance.now();
    this.#frame = requestAnimationFrame(() => this.#tick());
    this.#onChange(true);
  }

  pause() {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#onChange(false);
  }

  #tick() {
    const now = performance.now();
    // A tab that was not seen does not go on at once where it would be by now.
    const elapsed = Math.min(now - this.#last, 250) * this.speed;
    this.#last = now;
    let time = this.#playhead.time + elapsed;
    if (this.skips) {
      const next = this.#nextActivity(this.#playhead.time);
      if (next - time > idle) time = Math.max(Math.min(next, this.#end()) - lead, time);
    }
    const end = this.#end();
    this.#playhead.move(Math.min(time, end), { by: "play" });
    if (time >= end) return this.pause();
    this.#frame = requestAnimationFrame(() => this.#tick());
  }
}
