// One session: one playhead, and the tracks, the list and the panel that follow it. A replay player finds its place above the
// tracks, in `.player`, and shares the playhead.

import { debounce, fill, h, paced } from "../base/dom.js";
import * as route from "../base/route.js";
import { Player } from "../replay/player.js";
import { neighbour } from "../sessions/neighbours.js";
import { Arrival } from "./arrival.js";
import { Brush } from "./brush.js";
import { endings } from "./ends.js";
import { EventList } from "./event-list.js";
import { Filters } from "./filters.js";
import { Following } from "./following.js";
import { Ledger } from "./ledger.js";
import { ListFollower } from "./list-follower.js";
import { drawNothing } from "./nothing.js";
import { Playhead } from "./playhead.js";
import { Selection } from "./selection.js";
import { sessionCommands } from "./session-commands.js";
import { SessionData } from "./session-data.js";
import { chromeTrace, downloadSession, sessionFile } from "./session-file.js";
import { AskButton } from "../asks/ask-button.js";
import { sessionHeader } from "./session-header.js";
import { Stepper } from "./stepper.js";
import { TracksPanel } from "./tracks-panel.js";
import { Transport } from "./transport.js";
import { Viewport } from "./viewport.js";
import { choose } from "./views.js";

const narrow = matchMedia("(max-width: 700px)");
/** Narrower, the panel of an event lies over the rest. */
const wide = matchMedia("(min-width: 1121px)");
/** How often the address follows one that is played, in ms: browsers refuse to have it written much more often. */
const addressInterval = 500;

export class SessionView {
  #id;
  #back;
  #panel;
  #onPlace;
  #onPlaceLater;
  #onState;
  #abort = new AbortController();
  #data;
  #playhead = new Playhead();
  #viewport = new Viewport();
  #parts;
  #selection;
  #stepper;
  #opened = new Set();
  #following;
  #follower;
  #arrival;
  #wanted;

  /** @param {{place: object, element: HTMLElement, panel, back: string, onPlace: () => void, onState: (error: Error|null) => void}} options */
  constructor({ place, element, panel, back, onPlace, onState }) {
    this.#id = place.session;
    this.#back = back;
    this.#panel = panel;
    this.#onPlace = debounce(150, () => { if (!this.#abort.signal.aborted) onPlace(); });
    this.#onPlaceLater = paced(addressInterval, () => { if (!this.#abort.signal.aborted) onPlace(); });
    this.#onState = onState;
    this.#wanted = place;
    const { signal } = this.#abort;
    const [playhead, viewport] = [this.#playhead, this.#viewport];
    const data = this.#data = new SessionData({
      id: this.#id, signal, onState, onSession: (before) => this.#learned(before), onTail: () => this.#drawLedger(),
      onFound: (error) => this.#parts.filters.say(error),
      onEvents: (n) => this.#grown(n), onDetails: () => this.#arrived(), onChange: () => this.#show(),
      onReplay: () => this.#replayGrown(), onLooked: () => this.#arrival.looked(), onLoaded: () => this.#loaded(),
    });
    const { outline, details, recording, spans } = data;
    // Before the tracks do: scrolling is cheapest while nothing has been written.
    playhead.subscribe((time, event, by) => this.#moved(time, event, by));
    const pick = (at) => this.#pick(at);
    const shared = { outline, playhead, viewport, details, recording, spans, signal };
    this.#selection = new Selection({ ...shared, panel, onPick: pick, onState, isLoading: () => data.isLoading, app: () => this.#session?.bundleId });
    this.#parts = {
      header: h("header"),
      ask: new AskButton(this.#id),
      player: new Player({ ...shared, onLive: () => this.#toggleFollow() }),
      transport: new Transport({
        onStep: (by) => this.step(by), onError: (by) => by > 0 ? this.nextError() : this.previousError(),
        onZoom: (factor) => this.zoom(factor), onFit: () => viewport.fit(), onFollow: () => this.#toggleFollow(),
      }),
      brush: new Brush(shared),
      tracks: new TracksPanel({ ...shared, onPick: pick }),
      filters: new Filters((what) => this.#filtered(what), () => this.#toFound()),
      list: new EventList({ ...shared, onSelect: pick, onScroll: () => this.#following?.scrolled() }),
      notice: h("div.notice", { role: "status" }, h("span.spinner"), "Loading…"),
      ledger: new Ledger(),
    };
    this.#stepper = new Stepper({ ...shared, list: this.#parts.list, onPick: pick });
    const { header, player, transport, brush, tracks, filters, list, notice, ledger } = this.#parts;
    const following = this.#following = new Following({ ...shared, data, live: player.live, list, onChange: (isOn) => this.#followed(isOn) });
    this.#follower = new ListFollower({ list, playhead, data, signal, isHeld: () => following.isOn && !player.live.isOn });
    this.#arrival = new Arrival({
      data, playhead, isCovering: (isAsked) => isAsked ? narrow.matches : !wide.matches, onPick: (at) => this.#pick(at, { where: "center" }), onShow: (at) => list.reveal(list.source.rowOf(at), "center"),
      onOpen: (id) => this.#selection.open(id), onFollow: () => following.set(true), onTime: (time) => this.#goTo({ event: null, time }),
    });
    fill(element, header, player.element, this.#parts.timeline = h("section.timeline", { aria: { label: "Tracks" } }, transport.element, brush.element, tracks.element),
      filters.element, h("div.stage", null, list.element, notice, following.button), ledger.element);
    filters.reset(place);
    const redraw = () => { if (!data.isLoading) this.#show({ redraw: true }); };
    narrow.addEventListener("change", redraw, { signal });
    data.open(notice);
  }

  get #outline() { return this.#data.outline; }
  get #session() { return this.#data.session; }
  get title() { return this.#session?.userId || "Session"; }
  get place() {
    const { types, text, tab } = this.#parts.filters;
    const { time, event } = this.#playhead;
    const moment = this.#data.isLoading ? this.#wanted : { event, time: event === null && time > this.#outline.start && !this.#following.isOn ? Math.round(time) : null };
    return { view: "session", session: this.#id, event: moment.event, time: moment.time, types: [...types], text, tab: tab.name };
  }

  close() { this.#abort.abort(); this.#parts.player.close(); this.#parts.ask.close(); }
  focusFilter() { this.#parts.filters.focus(); }

  /** Another moment of the same session. */
  visit(place) {
    if (place.session !== this.#id) return false;
    if (this.#data.isLoading) return void (this.#wanted = place);
    const { filters } = this.#parts;
    filters.reset(place);
    this.#filtered("text");
    this.#goTo(place);
    return true;
  }

  get commands() {
    return sessionCommands({
      view: this, filters: this.#parts.filters, player: this.#parts.player, onNudge: (by) => this.#nudge(by), onFit: () => this.#viewport.fit(),
      onFollow: () => this.#toggleFollow(), onNeighbour: (by) => this.#toNeighbour(by), onSave: () => downloadSession(this.#id, sessionFile),
      onTrace: () => downloadSession(this.#id, chromeTrace),
    });
  }

  // MARK: Loading

  async #loaded() {
    await this.#filtered("load");
    this.#data.isLoading = false;
    this.#show();
    this.#settle();
  }

  #settle() {
    this.#arrival.go(this.#wanted);
    this.#playhead.flush();
    this.#selection.draw();
  }

  #goTo({ event, time }) {
    const at = event === null ? -1 : this.#outline.indexOf(event);
    if (at >= 0) this.#pick(at, { where: "center" });
    else if (time !== null) this.#playhead.move(Math.min(Math.max(time, this.#viewport.first), this.#viewport.last));
    else this.select(null);
  }

  #learned(before) {
    this.#drawHead();
    const { player } = this.#parts;
    if (!this.#session.live && player.live.isOn) {
      player.live.finish();
      this.#following.set(false);
    }
    player.setRunning(this.#session.live);
    if (before && !this.#data.isLoading) this.#showLater();
  }

  #grown(n) {
    if (this.#data.isLoading) return;
    this.#following.grown(n);
    this.#parts.player.grown();
    if (this.#parts.filters.text) this.#data.search(this.#parts.filters.text.trim());
    this.#show();
  }

  #replayGrown() {
    this.#parts.player.update();
    this.#show();
  }

  #showLater = debounce(50, () => { if (!this.#abort.signal.aborted) this.#show(); });

  #arrived() {
    this.#parts.list.arrived();
    this.#selection.arrived();
  }

  // MARK: Filtering

  #filtering = null;

  #filtered(what) { return this.#filtering = this.#filter(what); }

  async #filter(what) {
    const { filters, list } = this.#parts;
    list.hasBars = Boolean(filters.tab.hasBars);
    if (what !== "load") this.#onPlace();
    const needsSearch = what === "load" || what === "text" || (this.#data.found === null) !== (filters.text.trim() === "");
    if (needsSearch) await this.#data.search(filters.text.trim());
    if (what === "load") return;
    this.#show({ redraw: true });
  }

  /** From the search into what it found. */
  async #toFound() {
    await this.#filtering;
    this.#parts.list.focus();
    this.edge(false);
  }

  // MARK: Showing

  #drawHead() {
    const hadFocus = this.#parts.header.contains(document.activeElement);
    fill(this.#parts.header, sessionHeader(this.#session, { back: this.#back, onErrors: () => this.#showErrors(), ask: this.#parts.ask.element }));
    if (hadFocus) this.#parts.header.querySelector("h1").focus({ preventScroll: true });
    this.#parts.transport.setErrors(this.#session.errors);
    this.#parts.transport.setFollow(this.#session.live, this.#following.isOn);
    this.#drawLedger();
  }

  #drawLedger() {
    if (this.#session) this.#parts.ledger.set(this.#session.launchLedgers ?? [], this.#data.tailState, this.#session.events);
  }

  #show({ redraw = false } = {}) {
    const { filters, list, tracks, brush, notice, timeline } = this.#parts;
    const { outline, recording, details, session, crashes, found, spans } = this.#data;
    this.#viewport.extent(Math.min(outline.start, recording.start), Math.max(outline.end, recording.end, spans.end));
    // Of a session of which only a summary came, nothing can be drawn.
    timeline.hidden = !this.#data.isLoading && !outline.length && !(recording.end > recording.start);
    tracks.update();
    brush.update();
    const { byType, errors } = outline.counts();
    if (byType.has("span")) byType.set("span", byType.get("span") - spans.hidden.size);
    filters.setCounts(byType, errors);
    list.marks = this.#data.marks;
    const chosen = choose(outline, { tab: filters.tab, types: filters.types, severity: filters.tab.name === "log" ? filters.severity : 0, found, hidden: spans.hidden });
    list.set(chosen, {
      ends: endings({ outline, details, session, crashes }), launches: session?.launches ?? [], isNarrow: narrow.matches, isPlain: filters.tab.name === "network",
      // Who filters wants to see everything that is left.
      opened: filters.isActive ? null : this.#opened, keep: this.#playhead.event === null ? -1 : outline.indexOf(this.#playhead.event),
      onUnfold: (first) => { this.#opened.add(first); this.#following.stop(); list.leave(); this.#show(); },
    }, { redraw });
    const isEmpty = !list.source.events;
    notice.hidden = !isEmpty;
    if (isEmpty && !this.#data.isLoading) {
      drawNothing(notice, { isFiltered: filters.isActive, session, onClear: () => { filters.reset({}); this.#filtered("text"); } });
    }
    this.#following.go();
    this.#following.draw();
  }

  // MARK: The playhead

  #moved(time, event, by) {
    const { transport } = this.#parts;
    const at = this.#playhead.placeIn(this.#outline);
    this.#follower.moved(by);
    transport.update(time - this.#outline.start, at < 0 ? "" : this.#outline.screenAt(at));
    if (event === null) this.#selection.draw();
    if (by === "play") this.#onPlaceLater();
    else if (!this.#following.isOn) this.#onPlace();
  }

  /** Chooses an event by its place in the outline. */
  async #pick(at, { where = "nearest", by = null } = {}) {
    if (at < 0) return;
    this.#arrival.touched();
    this.#following.stop();
    const id = String(this.#outline.ids[at]);
    const time = this.#outline.times[at];
    this.#playhead.move(time, { event: id, by });
    const { list } = this.#parts;
    // Inside a folded run: drawing again opens it.
    if (list.source.rowOf(at) < 0) this.#show();
    this.#viewport.reveal(time);
    this.#playhead.flush();
    list.reveal(list.source.rowOf(at), where);
    this.#onPlace();
    await this.#selection.open(id);
  }

  select(id, { isEscape = false } = {}) {
    if (id !== null) return void this.#pick(this.#outline.indexOf(id));
    if ((isEscape && this.#arrival.isUntouched) || (this.#playhead.event === null && !this.#panel.open)) return void (location.hash = this.#back);
    this.#playhead.move(this.#playhead.time);
    this.#playhead.flush();
    this.#panel.close();
    this.#selection.draw();
    this.#onPlace();
  }

  /** The first error, in the list of errors. */
  async #showErrors() {
    const { filters, list } = this.#parts;
    filters.reset({ tab: "errors" });
    await this.#filtered("text");
    const at = this.#outline.firstError;
    if (at < 0 || this.#abort.signal.aborted) return;
    if (wide.matches) return void this.#pick(at);
    this.#panel.close();
    this.#playhead.move(this.#outline.times[at], { event: String(this.#outline.ids[at]) });
    this.#playhead.flush();
    list.reveal(list.source.rowOf(at));
    // On a phone the list is below the replay.
    filters.element.scrollIntoView({ block: "start" });
  }

  #nudge(by) {
    this.#following.stop();
    this.#parts.tracks.nudge(by);
  }

  zoom(factor) {
    const { time } = this.#playhead;
    const { from, to } = this.#viewport;
    this.#viewport.zoom(factor, time >= from && time <= to ? time : undefined);
  }

  async #toNeighbour(by) {
    const id = await neighbour(this.#id, by).catch(() => null);
    if (id !== null && !this.#abort.signal.aborted) route.go({ session: id });
  }

  // MARK: Following

  #toggleFollow() { this.#following.set(!this.#following.isOn); }

  #followed(isOn) {
    if (isOn && this.#panel.open) this.select(null);
    if (this.#session) this.#parts.transport.setFollow(this.#session.live, isOn);
  }

  wheel() { this.#following.wheel(); }

  // MARK: Steps

  step(by) { return this.#stepper.step(by); }
  nextError() { this.#stepper.toError(1); }
  previousError() { this.#stepper.toError(-1); }
  edge(isLast) { this.#stepper.toEdge(isLast); }
}
