// The list below the tracks: the events that pass the filters, with the playhead's place among them.

import { debounce, h } from "../base/dom.js";
import { preciseTime } from "../base/format.js";
import { VirtualList } from "../list/virtual-list.js";
import { row, rowId } from "./rows.js";
import { rowSource } from "./row-source.js";

/** Leaps end when none came for so long, in ms. */
const rest = 200;

export class EventList {
  element;
  #scroller;
  #list;
  #screen = h("div.current-screen", { hidden: true, aria: { hidden: "true" } });
  #outline;
  #playhead;
  #viewport;
  #current = -1;
  #selected = null;
  #onScroll;
  #details;
  /** While the list leaps after the playhead nothing is asked for: nobody reads it. */
  #isPassing = false;
  /** Whether rows show when they were, in a column: the requests. */
  hasBars = false;
  /** What was searched for. */
  marks = [];

  /** @param {{outline, details, playhead, viewport, onSelect: (place: number) => void, onScroll: () => void}} options */
  constructor({ outline, details, playhead, viewport, onSelect, onScroll }) {
    this.#outline = outline;
    this.#playhead = playhead;
    this.#viewport = viewport;
    this.#details = { get: (id) => this.#isPassing ? details.peek(id) : details.get(id) };
    this.#onScroll = onScroll;
    const surface = h("div.surface", { onClick: ({ target }) => {
      const { place } = target.closest(".row.event")?.dataset ?? {};
      if (place !== undefined) onSelect(Number(place));
    }, onPointerover: ({ target }) => {
      // Told when somebody points at it: writing it for each row that goes by takes longer than the row.
      const { place } = target.closest(".at") ? target.closest(".row.event").dataset : {};
      if (place !== undefined) target.title = preciseTime(outline.times[Number(place)]);
    } });
    this.#scroller = h("div.scroll", {
      id: "timeline", tabIndex: 0, role: "listbox", aria: { label: "Timeline" },
    }, surface);
    this.element = h("div.list", null, this.#screen, this.#scroller);
    this.#list = new VirtualList(this.#scroller, surface, (item, at, old) => {
      const element = row(item, this.source.placeOf?.(at) ?? -1, {
        outline, selected: this.#selected, current: this.#current, marks: this.marks, bar: this.hasBars ? (place, element) => this.#bar(place, element) : null,
      }, old);
      return element;
    });
    this.#list.onDrawn = () => this.#name();
    // After the list's own, which asks where it is.
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
  }

  #scrolled() {
    this.#heading();
    this.#onScroll();
  }

  get source() { return this.#list.source; }
  get isAtEnd() { return this.#list.isAtEnd; }
  focus() { this.#scroller.focus({ preventScroll: true }); }

  set(chosen, about, { redraw = false } = {}) {
    this.#list.set(rowSource(this.#outline, chosen, { ...about, details: this.#details }), { redraw });
    this.follow();
    this.#heading();
  }

  /** Some events have arrived: their rows are drawn whole. */
  arrived() { this.#list.later(); }
  refresh() { this.#list.refresh(); }

  /** Marks where the playhead is, without scrolling. */
  follow() {
    const selected = this.#playhead.event;
    const row = this.source.rowAt?.(this.#playhead.placeIn(this.#outline)) ?? -1;
    const place = row < 0 ? -1 : this.source.placeOf(row);
    if (place !== this.#current) {
      this.#element(this.#current)?.classList.remove("current");
      this.#current = place;
      this.#element(place)?.classList.add("current");
    }
    if (selected !== this.#selected) {
      this.#list.element(this.#selected)?.setAttribute("aria-selected", "false");
      this.#selected = selected;
      this.#list.element(selected)?.setAttribute("aria-selected", "true");
    }
    this.#name();
    return row;
  }

  /** The row that assistive technologies are told of: one that is drawn, and not left out by filters. */
  #name() {
    const active = this.#selected !== null && this.#list.element(this.#selected) ? rowId(this.#selected) : null;
    if (active === this.#scroller.getAttribute("aria-activedescendant")) return;
    if (active === null) this.#scroller.removeAttribute("aria-activedescendant");
    else this.#scroller.setAttribute("aria-activedescendant", active);
  }

  #element(place) { return place < 0 ? undefined : this.#list.element(String(this.#outline.ids[place])); }

  reveal(row, where) { this.#list.reveal(row, where); }
  leave() { this.#list.leave(); }

  /** Follows a playhead that moves by itself, or with a hand. */
  approach(row) {
    this.#isPassing = this.#list.approach(row);
    if (this.#isPassing) this.#settle();
  }

  #settle = debounce(rest, () => { this.#isPassing = false; this.#list.later(); });
  toEnd() { this.#list.toEnd(); }

  /** The row of the first event that is seen. */
  firstVisible() { return this.#list.firstVisible(); }

  /** The screen that one has scrolled into, above the rows. */
  #heading() {
    const screen = this.#screen;
    const { source } = this;
    if (!source.length || !source.placeOf) return void (screen.hidden = true);
    const first = this.#list.firstVisible();
    const place = source.placeOf(first) >= 0 ? source.placeOf(first) : source.placeOf(Math.max(first - 1, 0));
    const isItself = place >= 0 && this.#outline.typeOf(place) === "navigation";
    const name = place < 0 || this.#list.scrollTop < 4 || isItself ? "" : this.#outline.screenAt(place);
    screen.hidden = !name;
    if (name) screen.textContent = name;
  }

  /** Puts a request's bar where it lies in what the tracks show. */
  #bar(place, element) {
    const { from, span } = this.#viewport;
    const left = ((this.#outline.times[place] - from) / span) * 100;
    const width = (Math.max(this.#outline.durations[place], 0) / span) * 100;
    const { style } = element.firstChild;
    style.left = `${Math.min(Math.max(left, -1), 101)}%`;
    style.width = `${Math.min(width, 100 - Math.max(left, 0))}%`;
    if (left > 100 || left + width < 0) element.classList.add("away");
  }
}
