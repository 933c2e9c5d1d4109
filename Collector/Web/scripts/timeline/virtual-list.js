// A list of which only the visible rows are elements, so that its length does not matter. Rows differ in height.

const overscan = 400;

export class VirtualList {
  #scroller;
  #surface;
  #render;
  #items = [];
  /** Where each item begins; one more than items, the last is the whole height. */
  #tops = new Float64Array(1);
  #index = new Map();
  #shown = new Map();
  #frame = 0;

  /**
   * @param {HTMLElement} scroller  what scrolls
   * @param {HTMLElement} surface   what holds the rows
   * @param {(item: {key: string, height: number}, index: number) => HTMLElement} render
   */
  constructor(scroller, surface, render) {
    this.#scroller = scroller;
    this.#surface = surface;
    this.#render = render;
    scroller.addEventListener("scroll", () => this.#later(), { passive: true });
    new ResizeObserver(() => this.#later()).observe(scroller);
  }

  get items() { return this.#items; }
  get height() { return this.#tops[this.#items.length]; }

  /** Shows other items, keeping what is at the top of the view where it is. */
  set(items, { redraw = false } = {}) {
    const anchor = this.#items[this.#at(this.#scroller.scrollTop)];
    const anchorTop = anchor ? this.#tops[this.#index.get(anchor.key)] : 0;
    this.#items = items;
    this.#tops = new Float64Array(items.length + 1);
    this.#index = new Map();
    let top = 0;
    items.forEach((item, index) => {
      this.#tops[index] = top;
      this.#index.set(item.key, index);
      top += item.height;
    });
    this.#tops[items.length] = top;
    this.#surface.style.height = `${top}px`;
    const now = anchor ? this.#index.get(anchor.key) : undefined;
    if (now !== undefined && this.#tops[now] !== anchorTop) this.#scroller.scrollTop += this.#tops[now] - anchorTop;
    if (redraw) this.#clear();
    this.#draw();
  }

  indexOf(key) { return this.#index.get(key) ?? -1; }
  element(key) { return this.#shown.get(key)?.element; }
  /** The item at the top of the view. */
  firstVisible() { return this.#at(this.#scroller.scrollTop); }
  /** The item at its bottom. */
  lastVisible() { return this.#at(this.#scroller.scrollTop + this.#scroller.clientHeight); }
  top(index) { return this.#tops[index]; }

  /** Scrolls as little as shows an item; or so that it is in the middle, as also when it is far away. */
  reveal(index, where = "nearest") {
    if (index < 0 || index >= this.#items.length) return;
    const { scrollTop, clientHeight } = this.#scroller;
    const top = this.#tops[index];
    const bottom = this.#tops[index + 1];
    const margin = 48;
    const far = bottom < scrollTop - clientHeight / 4 || top > scrollTop + clientHeight * 1.25;
    if (where === "center" || far) this.#scroller.scrollTop = (top + bottom - clientHeight) / 2;
    else if (top - margin < scrollTop) this.#scroller.scrollTop = top - margin;
    else if (bottom + margin > scrollTop + clientHeight) this.#scroller.scrollTop = bottom + margin - clientHeight;
    this.#draw();
  }

  /** Draws again what is shown, after something about the rows changed. */
  refresh() {
    this.#clear();
    this.#draw();
  }

  #later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #clear() {
    for (const { element } of this.#shown.values()) element.remove();
    this.#shown.clear();
  }

  #draw() {
    const { scrollTop, clientHeight } = this.#scroller;
    const first = this.#at(scrollTop - overscan);
    const last = Math.min(this.#at(scrollTop + clientHeight + overscan), this.#items.length - 1);
    const wanted = new Map();
    for (let index = first; index <= last; index++) wanted.set(this.#items[index].key, index);
    for (const [key, { element, item }] of this.#shown) {
      const index = wanted.get(key);
      if (index !== undefined && this.#items[index] === item) continue;
      element.remove();
      this.#shown.delete(key);
    }
    for (const [key, index] of wanted) {
      let shown = this.#shown.get(key);
      if (!shown) {
        const item = this.#items[index];
        shown = { element: this.#render(item, index), item };
        shown.element.style.height = `${item.height}px`;
        this.#shown.set(key, shown);
        this.#surface.append(shown.element);
      }
      shown.element.style.transform = `translateY(${this.#tops[index]}px)`;
      if (shown.element.role === "option") {
        shown.element.setAttribute("aria-posinset", index + 1);
        shown.element.setAttribute("aria-setsize", this.#items.length);
      }
    }
  }

  /** The item that covers a height, by halving. */
  #at(y) {
    let low = 0;
    let high = this.#items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
