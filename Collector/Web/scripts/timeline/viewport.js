// The part of a session that the tracks show.

const shortest = 20;

export class Viewport {
  #start = 0;
  #end = 1;
  #first = 0;
  #last = 1;
  #from = 0;
  #to = 1;
  #isWhole = true;
  #listeners = new Set();

  /** The whole of the session. */
  get start() { return this.#start; }
  get end() { return this.#end; }
  /** Its first moment, and its last; the whole has a margin besides. */
  get first() { return this.#first; }
  get last() { return this.#last; }
  /** What is shown of it. */
  get from() { return this.#from; }
  get to() { return this.#to; }
  get span() { return this.#to - this.#from; }
  get isWhole() { return this.#isWhole; }

  subscribe(listener) { this.#listeners.add(listener); }

  /** The session begins and ends there now. While all of it is shown, all of it stays shown. */
  extent(start, end) {
    [this.#first, this.#last] = [start, end];
    const margin = Math.max((end - start) * 0.01, 10);
    if (start - margin === this.#start && end + margin === this.#end) return;
    this.#start = start - margin;
    this.#end = end + margin;
    if (this.#isWhole) this.show(this.#start, this.#end);
    else this.show(this.#from, this.#to);
  }

  show(from, to) {
    const whole = this.#end - this.#start;
    const span = Math.min(Math.max(to - from, Math.min(shortest, whole)), whole);
    const middle = (from + to) / 2;
    this.#from = Math.min(Math.max(middle - span / 2, this.#start), this.#end - span);
    this.#to = this.#from + span;
    this.#isWhole = span >= whole * 0.999;
    for (const listener of this.#listeners) listener();
  }

  fit() { this.show(this.#start, this.#end); }

  /** Above 1 is closer. What is at `around` stays there. */
  zoom(factor, around = (this.#from + this.#to) / 2) {
    const span = this.span / factor;
    const part = (around - this.#from) / this.span;
    this.show(around - span * part, around + span * (1 - part));
  }

  pan(by) {
    const span = this.span;
    const from = Math.min(Math.max(this.#from + by, this.#start), this.#end - span);
    this.show(from, from + span);
  }

  /** Moves as little as shows a moment. */
  reveal(time) {
    const margin = this.span * 0.06;
    if (time < this.#from + margin) this.pan(time - this.#from - margin);
    else if (time > this.#to - margin) this.pan(time - this.#to + margin);
  }
}
