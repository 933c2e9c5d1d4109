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
import { ColumnHead } from "./columns.js";
import { Endpoints } from "./endpoints.js";
import { NetworkFilters } from "./filters.js";
import { isFiltered, query } from "./place.js";
import { heightOf, requestId, requestRow } from "./rows.js";
import { drawSummary } from "./summary.js";

const page = 200;
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
  #requests = [];
  #known = new Set();
  #next = null;
  #loading = false;
  #unseen = [];
  /** What is searched for, as the collector read it. */
  #marks = [];
  #live = new AbortController();
  #abort = new AbortController();
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
      columns: this.#head.names, selected: this.#place.event, marks: this.#marks, onSelect: (id) => this.select(id, { scroll: false }),
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
  close() { this.#live.abort(); this.#abort.abort(); clearTimeout(this.#timer); }
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

  get #asked() { return { ...query(this.#place), sort: this.#place.sort || "newest", limit: page }; }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#requests = [];
    this.#known = new Set();
    this.#unseen = [];
    this.#next = null;
    this.#hasGap = false;
    this.#counted = 0;
    this.#parts.scroller.scrollTop = 0;
    this.#count();
    await this.#more();
  }

  /** The next page; pages can be empty when few of many match, and then the one after that is wanted. */
  async #more() {
    if (this.#loading && !this.#abort.signal.aborted && this.#loadingFor === this.#abort) return;
    const abort = this.#abort;
    this.#loadingFor = abort;
    this.#loading = true;
    const before = this.#requests.length;
    try {
      do {
        const answer = await api.get("network", { ...this.#asked, before: this.#next }, abort.signal);
        this.#marks = answer.marks ?? [];
        this.#filters.say(null);
        this.#add(answer.requests);
        this.#next = answer.next;
        this.#parts.narrowed.hidden = !answer.wholeWords;
        this.#onState(null);
        this.#loading = this.#next !== null && this.#requests.length - before < page / 2;
        this.#draw();
      } while (this.#loading);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#fail(error);
    }
    if (this.#loadingFor === abort) this.#loading = false;
  }

  #loadingFor = null;

  #add(requests) {
    const fresh = requests.filter(({ id }) => !this.#known.has(id));
    for (const { id } of fresh) this.#known.add(id);
    this.#requests.push(...fresh);
    return fresh;
  }

  #fail(error) {
    this.#filters.say(error);
    // What was asked for is wrong: nobody but who looks at it can mend that.
    if (error.status !== 400) this.#onState(error);
    if (this.#requests.length) return;
    fill(this.#parts.notice, h("strong", null, "The requests could not be loaded"), h("span", null, error.message),
      isFiltered(this.#place) ? h("button.small", { type: "button", onClick: () => this.#filters.clear() }, "Clear the filter")
        : h("button.small", { type: "button", onClick: () => this.#load() }, "Try again"));
    this.#parts.notice.hidden = false;
  }

  #refreshLater() {
    if (document.hidden) return;
    this.#timer ||= setTimeout(() => { this.#timer = 0; this.#refresh(); }, pause);
  }

  /** What has come since: into the list where one is at its top, else behind a button. */
  async #refresh() {
    const abort = this.#abort;
    try {
      const { requests, next } = await api.get("network", this.#asked, abort.signal);
      this.#onState(null);
      const waiting = new Set(this.#unseen.map(({ id }) => id));
      const fresh = requests.filter(({ id }) => !this.#known.has(id) && !waiting.has(id));
      // More than a page has come: between these and those that are known there are others.
      if (next && fresh.length === requests.length && fresh.length) this.#hasGap = true;
      if (fresh.length) {
        this.#unseen.push(...fresh);
        if (this.#parts.scroller.scrollTop < 40 && !this.#place.event) this.#showFresh();
        else this.#draw();
      }
      if (fresh.length || !this.#counted) this.#countLater();
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 400) this.#onState(error);
    }
  }

  #hasGap = false;

  #showFresh() {
    if (this.#hasGap) return this.#load();
    this.#add(this.#unseen);
    this.#unseen = [];
    const key = this.#place.sort === "slowest" ? "durationMs" : "timestamp";
    this.#requests.sort((a, b) => b[key] - a[key] || b.id - a.id);
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
      const stats = await api.get("network/stats", query(this.#place), this.#abort.signal);
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
    const { by, sort } = this.#place;
    const choice = (label, name, value, current) => h("button", {
      type: "button", aria: { pressed: String(current === value) }, data: { key: `${name} ${value}` },
      onClick: () => {
        if (name === "sort") {
          this.#sortBy(value);
        } else {
          this.#place[name] = value;
          route.replace(this.#place);
          this.#drawBar();
          this.#draw();
        }
        this.#parts.bar.querySelector(`[data-key="${name} ${value}"]`)?.focus();
      },
    }, label);
    this.#head.sort = sort;
    fill(this.#parts.bar,
      h("div.choices", { role: "group", aria: { label: "Show" } },
        choice("Requests", "by", "", by), choice("Endpoints", "by", "endpoints", by), choice("Hosts", "by", "hosts", by)),
      this.#place.against && !by ? this.#comparing() : null,
      h("span.spring"),
      by ? null : [
        this.#place.against ? null : [this.#head.menu,
        h("button.small", { type: "button", title: "Save all of these as an HTTP archive", onClick: () => this.#saveHAR() }, "Save HAR")],
        h("div.choices", { role: "group", aria: { label: "Order" } },
          choice("Newest", "sort", "", sort), choice("Slowest", "sort", "slowest", sort))]);
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
    this.#head.element.hidden = isTable || !this.#requests.length;
    scroller.hidden = isTable;
    tables.hidden = !isTable;
    // Marks of another search are drawn again.
    const isMarked = !same(this.#drawnMarks, this.#marks);
    this.#drawnMarks = this.#marks;
    const height = heightOf(narrow.matches);
    this.#list.set(this.#requests.map((request) => this.#item(request, height)), { redraw: redraw || isMarked });
    notice.hidden = this.#requests.length > 0 || (isTable && this.#loading);
    if (!this.#requests.length && !this.#loading) this.#nothing();
    if (isTable) this.#endpoints.set(null, this.#place.by);
    fresh.hidden = isTable || !this.#unseen.length;
    fresh.textContent = `${plural(this.#unseen.length, "new request")} — show`;
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
    const isSearch = Boolean(this.#place.text);
    fill(this.#parts.notice, isFiltered(this.#place)
      ? [h("strong", null, "No request matches the filter"),
        isSearch ? h("span", null, "All words must match: beginnings of words in URLs, header values and bodies, any part of a user, app or device.") : null,
        h("button.small", { type: "button", onClick: () => this.#filters.clear() }, "Clear the filter")]
      : [h("strong", null, "No requests yet"),
        h("span", null, "Requests appear here once an app calls AutoMobileNetwork.shared.startInterception(), or records them itself.")]);
  }

  #scrolled() {
    const { scroller } = this.#parts;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (this.#next && !this.#loading && left < scroller.clientHeight * 2) this.#more();
    if (scroller.scrollTop < 40 && this.#unseen.length && !this.#place.event) this.#showFresh();
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
      if (!against || against === id) return this.#onSelect({ ...exchange, app: this.#requests.find((request) => String(request.id) === id)?.bundleId });
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

  #comparing() {
    const one = this.#requests.find(({ id }) => String(id) === this.#place.against);
    const isOpen = this.#place.event && this.#place.event !== this.#place.against;
    return h("p.comparing", { role: "status" }, isOpen ? "Compared with " : "Choose a request to compare with ", h("code", null, one ? `${one.method} ${one.path}` : `#${this.#place.against}`),
      h("button.small", { type: "button", onClick: () => this.#compare() }, "Stop comparing"));
  }

  step(by) {
    const items = this.#list.items;
    if (!items.length || this.#place.by) return;
    const index = this.#place.event === null ? this.#list.firstVisible() - (by > 0 ? 1 : 0) : this.#list.indexOf(this.#place.event);
    const next = items[Math.min(Math.max(index + by, 0), items.length - 1)];
    if (next && next.key !== this.#place.event) this.select(next.key);
    if (this.#next && index + by > items.length - 20) this.#more();
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
  get title() { return this.#requests.length ? `Network, ${count(this.#requests.length)}${this.#next ? "+" : ""}` : "Network"; }
}
