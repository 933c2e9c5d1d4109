// The sessions: searched as one types, narrowed by what there is, kept current without moving under the reader's eyes.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count, plural, zone } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { same } from "../base/same.js";
import { wholeWords } from "../base/whole-words.js";
import { VirtualList } from "../list/virtual-list.js";
import { Facets } from "./facets.js";
import { firstSteps } from "./first-steps.js";
import { remember } from "./neighbours.js";
import { OpenFile } from "./open-file.js";
import { isFiltered, query } from "./place.js";
import { heightOf, sessionRow } from "./rows.js";
import { SessionSearch } from "./search.js";
import { goToUser } from "../users/link.js";

const page = 100;
const interval = 2000;
const narrow = matchMedia("(max-width: 700px)");
const sorts = [["", "Newest"], ["longest", "Longest"], ["events", "Most events"], ["errors", "Most errors"]];

export class SessionsView {
  #place;
  #search;
  #facets;
  #parts;
  #list;
  #sessions = [];
  #known = new Map();
  /** Such as have come since, and wait behind the button. */
  #unseen = new Set();
  #next = null;
  #isLoaded = false;
  #isLoading = false;
  #total = null;
  /** What is searched for, as the collector read it. */
  #marks = [];
  #drawnMarks = [];
  #abort = new AbortController();
  #timer = 0;
  #onState;
  #current = null;
  #element;

  /** @param {{element: HTMLElement, place: object, focus: string|null, onState: (error: Error|null) => void}} options */
  constructor({ element, place, focus, onState }) {
    this.#element = element;
    this.#place = place;
    this.#current = focus;
    this.#onState = onState;
    this.#search = new SessionSearch(place, (changes) => this.#change(changes), () => this.#toFirst());
    this.#facets = new Facets(place, (changes) => this.#change(changes));
    const surface = h("div.surface", { role: "list", aria: { label: "Sessions" } });
    const scroller = h("div.scroll", { id: "timeline", tabIndex: -1, onScroll: () => this.#scrolled() }, surface);
    const fresh = h("button.fresh", { type: "button", hidden: true, onClick: () => this.#showFresh() });
    const notice = h("div.notice", { role: "status" }, h("span.spinner"), "Loading…");
    const number = h("span.faint", { role: "status" });
    const narrowed = wholeWords();
    const sort = h("select", { aria: { label: "Order" }, onChange: () => this.#change({ sort: sort.value }) },
      sorts.map(([value, title]) => h("option", { value, selected: value === place.sort }, title)));
    const filter = h("button.small.filter-button", {
      type: "button", aria: { expanded: "false" }, onClick: () => this.#toggleFacets(),
    }, icon("filter"), "Filters");
    this.#parts = { scroller, fresh, notice, number, narrowed, filter, sort };
    fill(element,
      h("header.page-head", null, h("h1", { tabIndex: -1 }, "Sessions"), number, narrowed, h("span.spring"),
        h("span.faint.zone", { title: "Time zone of all times" }, zone()), new OpenFile({ page: element, signal: this.#live.signal }).element, filter, h("label.sort", null, sort)),
      this.#search.element,
      h("div.columns", null,
        h("div.scroll.facet-pane", { id: "facets", tabIndex: -1 }, this.#facets.element),
        h("div.stage", null,
          h("div.session-head", { aria: { hidden: "true" } }, ["User", "App and device", "Last screen", "Activity", "Errors", "Length", "Last"]
            .map((title, index) => h(index > 3 ? "span.n" : "span", null, title))),
          scroller, notice, fresh)));
    this.#list = new VirtualList(scroller, surface, ({ session }) => sessionRow(session, this.#marks));
    narrow.addEventListener("change", () => this.#draw({ redraw: true }), { signal: this.#live.signal });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#refresh(); }, { signal: this.#live.signal });
    scroller.addEventListener("focusin", (event) => { this.#current = event.target.closest("a")?.dataset.id ?? this.#current; });
    this.#load();
  }

  #live = new AbortController();

  get place() { return this.#place; }
  get title() { return "Sessions"; }
  focusFilter() { this.#search.focus(); }

  close() {
    this.#live.abort();
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#search.close();
    firstSteps.hide();
    remember(this.#sessions);
  }

  get commands() {
    return [
      { title: "Open the session", group: "Sessions list", keys: ["o"], palette: false, run: () => { if (this.#current) route.go({ session: this.#current }); } },
      { title: "Open the user", group: "Sessions list", keys: ["u"], palette: false, run: () => {
        const { userId, bundleId } = this.#sessions.find(({ sessionId }) => sessionId === this.#current) ?? {};
        if (userId) goToUser(userId, bundleId);
      } },
      { title: "Save this search", group: "Sessions list", keys: ["S"], run: () => this.#search.save() },
      { title: "Clear the search", group: "Sessions list", keys: ["x"], run: () => this.#search.clear() },
      ...sorts.map(([sort, title]) => ({ title: `Order: ${title.toLowerCase()}`, group: "Sessions list", run: () => this.#change({ sort }) })),
    ];
  }

  // MARK: Loading

  /** Goes to another place of the same page: a saved search, or back in the history. */
  visit(place) {
    Object.assign(this.#place, place);
    this.#changed();
  }

  #change(changes) {
    Object.assign(this.#place, changes);
    route.replace(this.#place);
    this.#changed();
  }

  #changed() {
    this.#search.draw();
    this.#facets.draw();
    this.#parts.sort.value = this.#place.sort;
    this.#answer = this.#load();
  }

  /** From the search to the first of what it finds, when that is here. */
  async #toFirst() {
    await this.#answer;
    if (document.activeElement === document.body) this.edge(false);
  }

  #answer = null;

  get #asked() { return { ...query(this.#place), sort: this.#place.sort, limit: page }; }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    clearTimeout(this.#timer);
    const { signal } = this.#abort;
    this.#unseen.clear();
    this.#isLoading = true;
    // First what is looked at first: the connection that is open takes one question at a time.
    const sessions = api.get("sessions", this.#asked, signal);
    this.#loadFacets(signal);
    try {
      const answer = await sessions;
      this.#known.clear();
      this.#sessions = [];
      this.#marks = answer.marks ?? [];
      this.#search.say(null);
      this.#take(answer);
      this.#parts.narrowed.hidden = !answer.wholeWords;
      this.#isLoaded = true;
      this.#parts.scroller.scrollTop = 0;
      this.#onState(null);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#fail(error);
    }
    this.#isLoading = false;
    this.#draw();
    this.#timer = setTimeout(() => this.#refresh(), interval);
  }

  async #loadFacets(signal) {
    try {
      const { total, facets, others } = await api.get("sessions/facets", query(this.#place), signal);
      this.#total = total;
      this.#facets.set(facets, others);
      this.#drawNumber();
    } catch { /* the list says what is wrong */ }
  }

  #take({ sessions, next }) {
    for (const session of sessions) {
      if (this.#known.has(session.sessionId)) continue;
      this.#known.set(session.sessionId, this.#sessions.length);
      this.#sessions.push(session);
    }
    this.#next = next;
  }

  async #more() {
    if (this.#isLoading || !this.#next) return;
    this.#isLoading = true;
    const { signal } = this.#abort;
    try {
      this.#take(await api.get("sessions", { ...this.#asked, before: this.#next }, signal));
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#onState(error);
      this.#next = null;
    }
    this.#isLoading = false;
    this.#draw();
  }

  /** What has come since: known sessions change where they are, new ones wait behind the button. */
  async #refresh() {
    clearTimeout(this.#timer);
    const { signal } = this.#abort;
    try {
      const answer = await api.get("sessions", this.#asked, signal);
      this.#onState(null);
      let changed = false;
      for (const session of answer.sessions) {
        const index = this.#known.get(session.sessionId);
        if (index === undefined) {
          changed ||= !this.#unseen.has(session.sessionId);
          this.#unseen.add(session.sessionId);
        } else if (!same(this.#sessions[index], session)) {
          this.#sessions[index] = session;
          changed = true;
        }
      }
      if (this.#unseen.size && !this.#sessions.length) return this.#showFresh();
      if (changed) this.#draw();
      if (changed) this.#loadFacets(signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#onState(error);
    }
    if (!document.hidden) this.#timer = setTimeout(() => this.#refresh(), interval);
  }

  #showFresh() { this.#load(); }

  #fail(error) {
    this.#search.say(error);
    if (error.status !== 400) this.#onState(error);
    if (this.#sessions.length) return;
    this.#error = error;
  }

  #error = null;

  // MARK: Showing

  #items = new Map();

  /** The same item for the same session, so that what is drawn stays. */
  #item(session, isNarrow) {
    const height = heightOf(isNarrow, session);
    const item = this.#items.get(session.sessionId);
    if (item?.session === session && item.height === height) return item;
    const made = { key: session.sessionId, height, session };
    this.#items.set(session.sessionId, made);
    return made;
  }

  #draw({ redraw = false } = {}) {
    const { fresh, notice, scroller } = this.#parts;
    const focused = scroller.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    // Marks of another search are drawn again.
    const isMarked = !same(this.#drawnMarks, this.#marks);
    this.#drawnMarks = this.#marks;
    this.#list.set(this.#sessions.map((session) => this.#item(session, narrow.matches)), { redraw: redraw || isMarked });
    remember(this.#sessions);
    if (focused && document.activeElement?.dataset?.id !== focused) this.#focus(focused);
    if (this.#restores && this.#sessions.length) this.#restore();
    fresh.hidden = !this.#unseen.size;
    fresh.textContent = `${plural(this.#unseen.size, "new session")} — show`;
    const isEmpty = this.#isLoaded && !this.#sessions.length;
    notice.hidden = this.#sessions.length > 0;
    document.body.classList.toggle("no-sessions", isEmpty && !isFiltered(this.#place));
    if (this.#error && !this.#sessions.length) this.#drawError();
    else if (isEmpty) this.#drawNothing();
    this.#drawNumber();
  }

  #drawError() {
    const error = this.#error;
    this.#error = null;
    fill(this.#parts.notice, h("strong", null, "The sessions could not be loaded"), h("span", null, error.message),
      isFiltered(this.#place) ? h("button.small", { type: "button", onClick: () => this.#search.clear() }, "Clear the search")
        : h("button.small", { type: "button", onClick: () => this.#load() }, "Try again"));
  }

  #drawNothing() {
    const { notice } = this.#parts;
    if (!isFiltered(this.#place)) return firstSteps.show(notice);
    firstSteps.hide();
    const said = this.#place.text ? ["No session matches “", this.#place.text, "”"] : "No session matches";
    fill(notice, h("strong", null, said),
      h("span", null, "All words must match; URLs and messages match beginnings of words, other fields any part."),
      h("button.small", { type: "button", onClick: () => this.#search.clear() }, "Clear the search"));
  }

  #drawNumber() {
    const { number, filter } = this.#parts;
    const total = this.#total ?? this.#sessions.length;
    number.textContent = this.#isLoaded ? count(Math.max(total, this.#sessions.length)) : "";
    filter.setAttribute("aria-expanded", String(this.#element.classList.contains("with-facets")));
  }

  #toggleFacets() {
    this.#element.classList.toggle("with-facets");
    this.#drawNumber();
    if (this.#element.classList.contains("with-facets")) this.#element.querySelector(".facets select")?.focus();
  }

  #scrolled() {
    const { scroller } = this.#parts;
    const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    if (left < scroller.clientHeight * 2) this.#more();
  }

  // MARK: Keyboard

  /** Whether the focus is still to go where it was when the list was left. */
  get #restores() { return this.#current !== null && !this.#isRestored; }
  #isRestored = false;

  #restore() {
    this.#isRestored = true;
    if (this.#known.has(this.#current) && !document.activeElement?.matches("input, select")) this.#focus(this.#current);
  }

  #focus(id) {
    const index = this.#known.get(id);
    if (index === undefined) return;
    this.#list.reveal(index);
    this.#list.element(id)?.querySelector("a").focus({ preventScroll: true });
  }

  step(by) {
    if (!this.#sessions.length) return;
    const index = this.#known.get(this.#current);
    const isFocused = document.activeElement?.dataset?.id === this.#current;
    const next = index === undefined ? 0 : isFocused ? Math.min(Math.max(index + by, 0), this.#sessions.length - 1) : index;
    this.#focus(this.#sessions[next].sessionId);
    if (next > this.#sessions.length - 20) this.#more();
  }

  edge(last) {
    const session = last ? this.#sessions.at(-1) : this.#sessions[0];
    if (session) this.#focus(session.sessionId);
  }
}
