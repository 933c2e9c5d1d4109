// The requests of all sessions: what is slow, what fails, and the one that somebody asks about.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, plural } from "../base/format.js";
import * as route from "../base/route.js";
import { save } from "../base/download.js";
import { same } from "../base/same.js";
import { tail } from "../base/tail.js";
import { wholeWords } from "../base/whole-words.js";
import { VirtualList } from "../list/virtual-list.js";
import { drawBar } from "./bar.js";
import { ColumnHead } from "./columns.js";
import { Endpoints } from "./endpoints.js";
import { NetworkFilters } from "./filters.js";
import { drawFailure, drawNothing } from "./notices.js";
import { isFiltered, query } from "./place.js";
import { RequestPages } from "./request-pages.js";
import { heightOf, requestId, requestRow } from "./rows.js";
import { drawSummary } from "./summary.js";

/** Events come in bursts: the list is asked for again this long after the first of one, in ms. */
const pause = 600;
/** Counting looks at many requests: not more often than this, in ms. */
const countPause = 5000;
const narrow = matchMedia("(max-width: 700px)");
/** The panel lies over the list. */
const covered = matchMedia("(max-width: 1120px)");

export class NetworkView {
  #place;
  #parts;
  #list;
  #filters;
  #endpoints = new Endpoints(({ host, route: pattern, method }) => this.#pick({ host, route: pattern ?? "", method: method ?? "", by: "" }));
  #pages = new RequestPages(() => ({ ...query(this.#place), sort: this.#place.sort || "newest" }));
  #live = new AbortController();
  #onState;
  #onSelect;
  #onCompare;
  #head;
  #timer = 0;
  #counted = 0;

  /**
   * @param {{element: HTMLElement, place: object, onState: (error: Error|null) => void,
   *   onSelect: (exchange: {event: object, frames: object[], frameCount: number}|null) => void,
   *   onCompare: (before: object, after: object) => void}} options
   */
  constructor({ element, place, onState, onSelect, onCompare }) {
    this.#place = place;
    this.#onState = onState;
    this.#onSelect = onSelect;
    this.#onCompare = onCompare;
    this.#head = new ColumnHead({ onChange: () => this.#draw({ redraw: true }), onSort: (sort) => this.#sortBy(sort) });
    this.#filters = new NetworkFilters(place, () => this.#changed(), () => this.#toFirst());
    const surface = h("div.surface");
    const scroller = h("div.scroll", {
      id: "timeline", tabIndex: 0, role: "listbox", aria: { label: "Requests" }, onScroll: () => this.#scrolled(),
    }, surface);
    const fresh = h("button.fresh", { type: "button", hidden: true, onClick: () => this.#showFresh() });
    const notice = h("div.notice", { role: "status" }, h("span.spinner"), "Loading…");
    const summary = h("section.summary", { aria: { label: "Summary" } });
    const bar = h("div.list-bar");
    const tables = h("div.scroll.tables", { hidden: true, tabIndex: -1 }, this.#endpoints.element);
    const narrowed = wholeWords();
    this.#parts = { scroller, fresh, notice, summary, bar, tables, narrowed };
    fill(element, summary, this.#filters.element, narrowed, bar,
      h("div.stage", null, this.#head.element, scroller, tables, notice, fresh));
    this.#list = new VirtualList(scroller, surface, ({ request }) => requestRow(request, {
      columns: this.#head.names, selected: this.#place.event, marks: this.#pages.marks, onSelect: (id) => this.select(id, { scroll: false }),
    }));
    narrow.addEventListener("change", () => this.#draw({ redraw: true }), { signal: this.#live.signal });
    document.addEventListener("comparerequest", () => this.#compare(), { signal: this.#live.signal });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#refreshLater(); }, { signal: this.#live.signal });
    tail({ type: "network_request" }, { signal: this.#live.signal, onEvent: () => this.#refreshLater(), onState: () => this.#refreshLater() });
    this.#drawBar();
    this.#load();
    if (place.event) this.#open(place.event);
  }

  get place() { return this.#place; }
  close() { this.#live.abort(); this.#pages.close(); clearTimeout(this.#timer); }
  focusFilter() { this.#filters.focus(); }

  /** Goes to another place of the same page: a link in the panel, or back in the history. */
  visit(place) {
    const before = route.address({ ...this.#place, event: null });
    Object.assign(this.#place, place);
    if (route.address({ ...place, event: null }) !== before) this.#filters.set({ text: place.text });
    if (place.event) this.#open(place.event);
    else this.#onSelect(null);
    this.#mark();
  }

  // MARK: Loading

  #changed() {
    route.replace(this.#place);
    this.#drawBar();
    this.#answer = this.#load();
  }

  /** From the search to the first of what it finds, when that is here. */
  async #toFirst() {
    await this.#answer;
    if (document.activeElement === document.body) this.edge(false);
  }

  #answer = null;

  #pick(changes) {
    // A step in the history: one comes back to the table.
    route.go({ ...this.#place, ...changes, event: null });
  }

  async #load() {
    this.#pages.reset();
    this.#counted = 0;
    this.#parts.scroller.scrollTop = 0;
    this.#count();
    await this.#more();
  }

  async #more() {
    try {
      await this.#pages.more(() => {
        this.#filters.say(null);
        this.#parts.narrowed.hidden = !this.#pages.isWholeWords;
        this.#onState(null);
        this.#draw();
      });
    } catch (error) {
      if (error.name !== "AbortError") this.#fail(error);
    }
  }

  #fail(error) {
    this.#filters.say(error);
    // What was asked for is wrong: nobody but who looks at it can mend that.
    if (error.status !== 400) this.#onState(error);
    if (this.#pages.requests.length) return;
    drawFailure(this.#parts.notice, {
      error, isFiltered: isFiltered(this.#place), onClear: () => this.#filters.clear(), onAgain: () => this.#load(),
    });
    this.#parts.notice.hidden = false;
  }

  #refreshLater() {
    if (document.hidden) return;
    this.#timer ||= setTimeout(() => { this.#timer = 0; this.#refresh(); }, pause);
  }

  /** What has come since: into the list where one is at its top, else behind a button. */
  async #refresh() {
    try {
      const hasCome = await this.#pages.refresh();
      this.#onState(null);
      if (hasCome) {
        if (this.#parts.scroller.scrollTop < 40 && !this.#place.event) this.#showFresh();
        else this.#draw();
      }
      if (hasCome || !this.#counted) this.#countLater();
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 400) this.#onState(error);
    }
  }

  #showFresh() {
    if (!this.#pages.show(this.#place.sort === "slowest" ? "durationMs" : "timestamp")) return this.#load();
    this.#draw();
    this.#parts.scroller.scrollTop = 0;
  }

  #countTimer = 0;
  #countLater() {
    this.#countTimer ||= setTimeout(() => { this.#countTimer = 0; this.#count(); },
      Math.max(this.#counted + countPause - performance.now(), 0));
  }

  async #count() {
    this.#counted = performance.now();
    try {
      const stats = await api.get("network/stats", query(this.#place), this.#pages.signal);
      drawSummary(this.#parts.summary, stats, (from, to) => this.#filters.set({ from: String(from), to: String(to) }));
      this.#endpoints.set(stats, this.#place.by);
    } catch { /* the list says what is wrong */ }
  }

  // MARK: Showing

  #sortBy(sort) {
    if (this.#place.sort === sort) return;
    this.#place.sort = sort;
    route.replace(this.#place);
    this.#drawBar();
    this.#load();
  }

  #drawBar() {
    const place = this.#place;
    this.#head.sort = place.sort;
    drawBar(this.#parts.bar, {
      place, menu: this.#head.menu, one: this.#pages.requests.find(({ id }) => String(id) === place.against),
      onChoose: (name, value) => name === "sort" ? this.#sortBy(value) : this.#groupBy(value),
      onSave: () => this.#saveHAR(), onCompare: () => this.#compare(),
    });
  }

  #groupBy(by) {
    this.#place.by = by;
    route.replace(this.#place);
    this.#drawBar();
    this.#draw();
  }

  async #saveHAR() {
    const { href } = api.address("network/har", { ...query(this.#place), sort: this.#place.sort });
    await save(href.slice(href.indexOf("/api/") + 5), "requests.har").catch((error) => this.#onState(error));
  }

  #draw({ redraw = false } = {}) {
    const { scroller, tables, notice, fresh } = this.#parts;
    const isTable = Boolean(this.#place.by);
    const [alone, beside] = this.#head.tracks;
    this.#head.element.parentElement.style.setProperty("--tracks", alone);
    this.#head.element.parentElement.style.setProperty("--tracks-beside", beside);
    this.#head.element.hidden = isTable || !this.#pages.requests.length;
    scroller.hidden = isTable;
    tables.hidden = !isTable;
    // Marks of another search are drawn again.
    const isMarked = !same(this.#drawnMarks, this.#pages.marks);
    this.#drawnMarks = this.#pages.marks;
    const height = heightOf(narrow.matches);
    this.#list.set(this.#pages.requests.map((request) => this.#item(request, height)), { redraw: redraw || isMarked });
    notice.hidden = this.#pages.requests.length > 0 || (isTable && this.#pages.isLoading);
    if (!this.#pages.requests.length && !this.#pages.isLoading) this.#nothing();
    if (isTable) this.#endpoints.set(null, this.#place.by);
    fresh.hidden = isTable || !this.#pages.unseen.length;
    fresh.textContent = `${plural(this.#pages.unseen.length, "new request")} — show`;
  }

  #drawnMarks = [];
  #items = new Map();

  /** The same item for the same request, so that what is drawn stays. */
  #item(request, height) {
    let item = this.#items.get(request.id);
    // Another search finds it by something else.
    if (!item || item.height !== height || item.request.match?.text !== request.match?.text) {
      item = { key: String(request.id), height, request };
      this.#items.set(request.id, item);
    }
    return item;
  }

  #nothing() {
    drawNothing(this.#parts.notice, {
      isFiltered: isFiltered(this.#place), isSearch: Boolean(this.#place.text), onClear: () => this.#filters.clear(),
    });
  }

  #scrolled() {
    const { scroller } = this.#parts;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (this.#pages.next && !this.#pages.isLoading && left < scroller.clientHeight * 2) this.#more();
    if (scroller.scrollTop < 40 && this.#pages.unseen.length && !this.#place.event) this.#showFresh();
  }

  // MARK: Selecting

  select(id, { scroll = true } = {}) {
    this.#place.event = id;
    route.replace(this.#place);
    if (this.#place.against) this.#drawBar();
    if (id && scroll) this.#list.reveal(this.#list.indexOf(id));
    this.#mark();
    if (id) this.#open(id);
    else this.#onSelect(null);
  }

  #mark() {
    const { scroller } = this.#parts;
    for (const row of scroller.querySelectorAll("[aria-selected=true]")) row.setAttribute("aria-selected", "false");
    const id = this.#place.event;
    if (!id) return scroller.removeAttribute("aria-activedescendant");
    this.#list.element(id)?.setAttribute("aria-selected", "true");
    scroller.setAttribute("aria-activedescendant", requestId(id));
  }

  async #open(id) {
    try {
      const exchange = await api.get(`network/${encodeURIComponent(id)}`, {}, this.#live.signal);
      if (this.#place.event !== id) return;
      const { against } = this.#place;
      if (!against || against === id) return this.#onSelect({ ...exchange, app: this.#pages.requests.find((request) => String(request.id) === id)?.bundleId });
      const other = await api.get(`network/${encodeURIComponent(against)}`, {}, this.#live.signal);
      if (this.#place.event === id && this.#place.against === against) this.#onCompare(other.event, exchange.event);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 404) this.select(null);
      else this.#onState(error);
    }
  }

  // MARK: Comparing

  get commands() {
    return [{ title: "Compare with another request", group: "Network", keys: ["v"], run: () => this.#compare() }];
  }

  /** The request that is chosen is compared with the one that is chosen next; again: not any more. */
  #compare() {
    if (!this.#place.against && !this.#place.event) return;
    this.#place.against = this.#place.against ? null : this.#place.event;
    // Where the panel lies over the list, it makes room for the choice.
    if (this.#place.against && covered.matches) return this.select(null);
    route.replace(this.#place);
    this.#drawBar();
    if (this.#place.event) this.#open(this.#place.event);
  }

  step(by) {
    const items = this.#list.items;
    if (!items.length || this.#place.by) return;
    const index = this.#place.event === null ? this.#list.firstVisible() - (by > 0 ? 1 : 0) : this.#list.indexOf(this.#place.event);
    const next = items[Math.min(Math.max(index + by, 0), items.length - 1)];
    if (next && next.key !== this.#place.event) this.select(next.key);
    if (this.#pages.next && index + by > items.length - 20) this.#more();
  }

  /** The next one that failed, and after the last one the first. */
  nextError() {
    const items = this.#list.items;
    const index = this.#place.event === null ? -1 : this.#list.indexOf(this.#place.event);
    const next = items.find(({ request }, at) => at > index && request.failed) ?? items.find(({ request }) => request.failed);
    if (next) this.select(next.key);
  }

  edge(last) {
    const item = last ? this.#list.items.at(-1) : this.#list.items[0];
    if (item && !this.#place.by) this.select(item.key);
  }

  /** For the title of the window. */
  get title() { return this.#pages.requests.length ? `Network, ${count(this.#pages.requests.length)}${this.#pages.next ? "+" : ""}` : "Network"; }
}
