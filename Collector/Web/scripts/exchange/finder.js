// Finds text inside an element and marks it, without changing the element (CSS custom highlights).

import { h } from "../base/dom.js";

const most = 2000;

export class Finder {
  /** "3 of 12", for whoever shows it. */
  count = h("span.found", { role: "status" });
  #element;
  #ranges = [];
  #at = 0;

  constructor(element) { this.#element = element; }

  find(words) {
    this.#ranges = words ? [...this.#matches(words.toLowerCase())] : [];
    this.#at = 0;
    this.#mark(words);
    if (this.#ranges.length) this.#reveal();
  }

  /** Goes to the next one, after the last to the first. */
  step(by) {
    if (!this.#ranges.length) return;
    this.#at = (this.#at + by + this.#ranges.length) % this.#ranges.length;
    this.#mark(" ");
    this.#reveal();
  }

  #mark(words) {
    const { length } = this.#ranges;
    this.count.textContent = !words ? "" : length ? `${this.#at + 1} of ${length}${length === most ? "+" : ""}` : "none";
    // Firefox before 140 has none of these: there the count and the scrolling have to do.
    if (!globalThis.CSS?.highlights) return;
    CSS.highlights.set("found", new Highlight(...this.#ranges));
    CSS.highlights.set("found-here", new Highlight(...this.#ranges.slice(this.#at, this.#at + 1)));
  }

  #reveal() {
    const range = this.#ranges[this.#at];
    const scroller = range.startContainer.parentElement.closest("pre") ?? this.#element;
    const box = range.getBoundingClientRect();
    const frame = scroller.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) scroller.scrollTop += box.top - frame.top - frame.height / 3;
  }

  /** Ranges over the text of all nodes: a match may begin in one and end in another. */
  *#matches(words) {
    const walker = document.createTreeWalker(this.#element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let text = "";
    while (walker.nextNode()) {
      nodes.push({ node: walker.currentNode, start: text.length });
      text += walker.currentNode.data;
    }
    const lower = text.toLowerCase();
    // A letter that becomes longer in lower case would put every place off.
    if (lower.length !== text.length) return;
    let index = 0;
    const place = (at, isEnd) => {
      while (index + 1 < nodes.length && nodes[index + 1].start + (isEnd ? 1 : 0) <= at) index += 1;
      return [nodes[index].node, at - nodes[index].start];
    };
    let found = 0;
    for (let at = lower.indexOf(words); at >= 0 && found < most; at = lower.indexOf(words, at + words.length), found += 1) {
      const range = new Range();
      range.setStart(...place(at, false));
      range.setEnd(...place(at + words.length, true));
      yield range;
    }
  }
}
