// A list of which only the visible rows are elements, so that its length does not matter. Rows differ in height.

import { arraySource } from "./source.js";

/** Rows are drawn so far beyond what is seen, in pixels; */
const overscan = 240;
/** after a leap so long later, in ms: who leaps leaps again, and rows that nobody saw were drawn for nothing. */
const rest = 300;
/** Rows that are made ready in one frame for a leap, and elements that are kept for it. */
const portion = 9;
const most = 50;

export class VirtualList {
  #scroller;
  #surface;
  #render;
  #source = arraySource([]);
  #shown = new Map();
  #frame = 0;
  // Asked of the browser once a frame: to ask in between would have it lay out the page anew each time.
  #scrollTop = 0;
  #clientHeight = 0;
  #drawnAt = 0;
  #restTimer = 0;
  /** While leaps go on: elements that nobody sees, and where they stand. They are written into and not made anew. */
  #spare = [];
  /** Whether rows are written into at all: lists of another kind make theirs anew. */
  #reuses = false;
  /** Where a leap goes to that is being prepared, and the rows that are ready for it. */
  #leap = null;
  /** The item that was gone to; null after somebody scrolled on by hand. */
  #revealed = null;
  /** Called after each drawing: rows have come and gone. */
  onDrawn = () => {};

  /**
   * @param {HTMLElement} scroller  what scrolls
   * @param {HTMLElement} surface   what holds the rows
   * @param {(item: object, index: number, old: HTMLElement|null) => HTMLElement} render  `old`: a row that is not needed
   *   any more; writing into it and giving it back is quicker than making one
   */
  constructor(scroller, surface, render) {
    this.#scroller = scroller;
    this.#surface = surface;
    this.#render = render;
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(scroller);
  }

  #scrolled() {
    const { scrollTop } = this.#scroller;
    if (scrollTop !== this.#scrollTop) this.#revealed = null;
    this.#scrollTop = scrollTop;
    this.later();
  }

  #resized() {
    this.#clientHeight = this.#scroller.clientHeight;
    // What takes some of the list's room, as a player that comes, must not push away what one went to.
    this.reveal(this.indexOf(this.#revealed));
    this.later();
  }

  /** Of a list that was set from an array. */
  get items() { return this.#source.items ?? []; }
  get source() { return this.#source; }
  get length() { return this.#source.length; }
  get height() { return this.#source.top(this.#source.length); }
  get scrollTop() { return this.#scrollTop; }
  get isAtEnd() { return this.#scrollTop + this.#clientHeight >= this.height - 30; }

  #scrollTo(top) {
    this.#clientHeight ||= this.#scroller.clientHeight;
    this.#scroller.scrollTop = top;
    // As the browser has it: it knows what stands below the rows.
    this.#scrollTop = this.#scroller.scrollTop;
  }

  toEnd() {
    this.#revealed = this.length ? this.#source.key(this.length - 1) : null;
    this.#scrollTo(this.#scroller.scrollHeight);
    this.draw();
  }

  /**
   * Shows other items, keeping where it is what was gone to, as long as it is seen, or else what is at the top of the view.
   *
   * @param {import("./source.js").Source|object[]} source  an array's items have `key` and `height`
   */
  set(source, { redraw = false } = {}) {
    const anchors = this.#anchors();
    this.#endLeap();
    this.#source = Array.isArray(source) ? arraySource(source) : source;
    this.#surface.style.height = `${this.height}px`;
    const anchor = anchors.find(({ key }) => this.indexOf(key) >= 0);
    if (anchor) this.#keep(anchor);
    if (redraw) this.#clear();
    this.draw();
  }

  /** What must not move when items come and go, the dearest first: its key and where it stands. */
  #anchors() {
    const anchors = [];
    // As it was drawn: what the source reads from may have changed since.
    const revealed = this.#shown.get(this.#revealed);
    if (revealed && this.#isSeen(revealed.top, revealed.height)) anchors.push({ key: this.#revealed, top: revealed.top });
    if (this.#source.length && this.#scrollTop > 0) {
      const first = this.firstVisible();
      anchors.push({ key: this.#source.key(first), top: this.#source.top(first) });
    }
    return anchors;
  }

  #keep({ key, top }) {
    const now = this.#source.top(this.indexOf(key));
    // Who is at the list's beginning sees what comes there, unless it pushes out of sight what one went to.
    if (now !== top && (this.#scrollTop > 0 || !this.#isSeen(now))) this.#scrollTo(this.#scrollTop + now - top);
  }

  #isSeen(top, height = 1) { return top < this.#scrollTop + this.#clientHeight && top + height > this.#scrollTop; }

  indexOf(key) { return key === null ? -1 : this.#source.indexOf(key); }
  element(key) { return this.#shown.get(key)?.element; }
  /** The item at the top of the view. */
  firstVisible() { return this.#at(this.#scrollTop); }
  /** The item at its bottom. */
  lastVisible() { return this.#at(this.#scrollTop + this.#clientHeight); }
  top(index) { return this.#source.top(index); }

  /** Scrolls as little as shows an item; or so that it is in the middle, as also when it is far away. */
  reveal(index, where = "nearest") {
    if (index < 0 || index >= this.#source.length) return;
    this.#endLeap();
    this.#revealed = this.#source.key(index);
    this.#clientHeight ||= this.#scroller.clientHeight;
    const [scrollTop, clientHeight] = [this.#scrollTop, this.#clientHeight];
    const top = this.#source.top(index);
    const bottom = this.#source.top(index + 1);
    const margin = Math.min(48, clientHeight / 4);
    if (where === "center" || this.#isFar(index)) this.#scrollTo((top + bottom - clientHeight) / 2);
    else if (top - margin < scrollTop) this.#scrollTo(top - margin);
    else if (bottom + margin > scrollTop + clientHeight) this.#scrollTo(bottom + margin - clientHeight);
    else return;
    this.draw();
  }

  /** One looks elsewhere now: what was gone to need not stay in sight. */
  leave() { this.#revealed = null; }

  #isFar(index) {
    const [scrollTop, clientHeight] = [this.#scrollTop, this.#clientHeight];
    return this.#source.top(index + 1) < scrollTop - clientHeight / 4 || this.#source.top(index) > scrollTop + clientHeight * 1.25;
  }

  /**
   * Like `reveal`, for what passes by: a leap is prepared out of sight, over a few frames of which none is long.
   *
   * @returns {boolean} whether it leaps
   */
  approach(index) {
    if (index < 0 || index >= this.#source.length) return false;
    this.#clientHeight ||= this.#scroller.clientHeight;
    if (!this.#isFar(index)) {
      this.reveal(index);
      return false;
    }
    const top = (this.#source.top(index) + this.#source.top(index + 1) - this.#clientHeight) / 2;
    const frame = this.#leap?.frame ?? requestAnimationFrame(() => this.#prepare());
    this.#revealed = null;
    this.#leap = { top: Math.max(Math.min(top, this.height - this.#clientHeight), 0), ready: new Set(), frame };
    return true;
  }

  #endLeap() {
    if (this.#leap) cancelAnimationFrame(this.#leap.frame);
    this.#leap = null;
  }

  /** Writes a portion of the rows that the leap will show; when all are there, the list leaps. */
  #prepare() {
    const { top, ready } = this.#leap;
    const first = this.#at(top);
    const last = Math.min(this.#at(top + this.#clientHeight), this.#source.length - 1);
    let made = 0;
    for (let index = first; index <= last && made < portion; index++) {
      const key = this.#source.key(index);
      ready.add(key);
      if (this.#shown.has(key)) continue;
      made += 1;
      const item = this.#source.item(index);
      const old = this.#spare.shift()?.element ?? null;
      const element = this.#render(item, index, old);
      if (old && old !== element) old.remove();
      if (!element.isConnected) this.#surface.append(element);
      const shown = { element, item, top: NaN, index: -1, height: 0 };
      this.#shown.set(key, shown);
      this.#place(shown, index);
    }
    if (made) return void (this.#leap.frame = requestAnimationFrame(() => this.#prepare()));
    this.#endLeap();
    this.#scrollTo(top);
    this.draw();
  }

  /** Draws again what is shown, after something about the rows changed. */
  refresh() {
    this.#clear();
    this.draw();
  }

  /** Draws with the next frame. */
  later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.draw(); });
  }

  #clear() {
    this.#endLeap();
    for (const { element } of [...this.#shown.values(), ...this.#spare.splice(0)]) element.remove();
    this.#shown.clear();
  }

  draw() {
    const source = this.#source;
    this.#clientHeight ||= this.#scroller.clientHeight;
    const [scrollTop, clientHeight] = [this.#scrollTop, this.#clientHeight];
    const beyond = this.#beyond(scrollTop, clientHeight);
    const first = this.#at(scrollTop - beyond);
    const last = Math.min(this.#at(scrollTop + clientHeight + beyond), source.length - 1);
    const wanted = new Map();
    for (let index = first; index <= last; index++) wanted.set(source.key(index), index);
    const spare = this.#spare.splice(0);
    for (const [key, { element, top }] of this.#shown) {
      if (wanted.has(key) || this.#leap?.ready.has(key)) continue;
      spare.push({ element, top });
      this.#shown.delete(key);
    }
    const free = spare.map(({ element }) => element);
    let previous = null;
    for (const [key, index] of wanted) {
      const item = source.item(index);
      let shown = this.#shown.get(key);
      if (!shown) {
        const old = free.shift() ?? null;
        shown = { element: this.#render(item, index, old), item, top: NaN, index: -1, height: 0 };
        this.#reuses ||= old !== null && shown.element === old;
        if (old && shown.element !== old) free.unshift(old);
        this.#shown.set(key, shown);
      } else if (shown.item !== item) {
        const element = this.#render(item, index, shown.element);
        if (element !== shown.element) shown.element.replaceWith(element);
        Object.assign(shown, { element, item, top: NaN, index: -1, height: 0, size: -1 });
      }
      this.#order(shown.element, previous, free);
      this.#place(shown, index);
      previous = shown.element;
    }
    // Where they stand nobody looks, as long as one leaps.
    const isSeen = (top) => top > scrollTop - clientHeight && top < scrollTop + clientHeight * 2;
    for (const element of free) {
      const { top = NaN } = spare.find((one) => one.element === element) ?? {};
      if (this.#restTimer && this.#reuses && this.#spare.length < most && !Number.isNaN(top) && !isSeen(top)) this.#spare.push({ element, top });
      else element.remove();
    }
    this.onDrawn();
  }

  /** How far beyond what is seen to draw. */
  #beyond(scrollTop, clientHeight) {
    if (Math.abs(scrollTop - this.#drawnAt) > clientHeight) {
      clearTimeout(this.#restTimer);
      this.#restTimer = setTimeout(() => { this.#restTimer = 0; this.later(); }, rest);
    }
    this.#drawnAt = scrollTop;
    return this.#restTimer ? 0 : overscan;
  }

  /** Rows stand in the order in which they are read. One at the right place is not moved: moving is as dear as making. */
  #order(element, previous, free) {
    let next = previous ? previous.nextElementSibling : this.#surface.firstElementChild;
    while (next && next !== element && free.includes(next)) next = next.nextElementSibling;
    if (next === element) return;
    if (previous) previous.after(element);
    else this.#surface.prepend(element);
  }

  /** Writes only what changed: most rows stay where they are. */
  #place(shown, index) {
    const top = this.#source.top(index);
    const height = this.#source.top(index + 1) - top;
    const { element } = shown;
    if (shown.top !== top) element.style.top = `${top}px`;
    if (shown.height !== height) element.style.height = `${height}px`;
    const counts = element.role === "option" || element.role === "listitem";
    if (counts && shown.index !== index) element.setAttribute("aria-posinset", index + 1);
    if (counts && shown.size !== this.#source.length) element.setAttribute("aria-setsize", this.#source.length);
    Object.assign(shown, { top, height, index, size: this.#source.length });
  }

  /** The item that covers a height, by halving. */
  #at(y) {
    let low = 0;
    let high = this.#source.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#source.top(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
