// From event to event through the list, from error to error, and to the ends.

export class Stepper {
  #list;
  #outline;
  #playhead;
  #onPick;

  /** @param {{list, outline, playhead, onPick: (place: number) => void}} options */
  constructor({ list, outline, playhead, onPick }) {
    this.#list = list;
    this.#outline = outline;
    this.#playhead = playhead;
    this.#onPick = onPick;
  }

  /** Chooses the event `by` rows further on; at first the one at the playhead. Says whether there was one. */
  step(by, passes = () => true) {
    const { source } = this.#list;
    const chosen = this.#playhead.event === null ? -1 : source.rowOf(this.#outline.indexOf(this.#playhead.event));
    const current = source.rowAt(this.#playhead.placeIn(this.#outline));
    return this.#pick(chosen >= 0 ? chosen + by : current < 0 ? 0 : current, by, passes);
  }

  /** The next error, and after the last one the first. */
  toError(by) {
    const isError = (place) => this.#outline.isError(place);
    if (!this.step(by, isError)) this.#pick(by > 0 ? 0 : this.#list.source.length - 1, by, isError);
  }

  toEdge(isLast) { this.#pick(isLast ? this.#list.source.length - 1 : 0, isLast ? -1 : 1); }

  /** The first that passes, from a row on. */
  #pick(row, by, passes = () => true) {
    const { source } = this.#list;
    while (row >= 0 && row < source.length && !(source.placeOf(row) >= 0 && passes(source.placeOf(row)))) row += Math.sign(by);
    if (row < 0 || row >= source.length) return false;
    this.#onPick(source.placeOf(row));
    return true;
  }
}
