// What there is of one session: its events, what was found among them, its replay, how its launches ended. It keeps itself current.

import { Details } from "../events/details.js";
import { Outline } from "../events/outline.js";
import { same } from "../base/same.js";
import { Recording } from "../replay/recording.js";
import { Spans } from "../spans/spans.js";
import { findCrashes } from "./crashes.js";
import { Loader } from "./loader.js";
import { Opening } from "./opening.js";

/** Between looks for more of a replay, in ms. */
const replayInterval = 2000;
/** A session that is over may bring more of it for so long, in ms. */
const replayPatience = 60_000;
/** A session is shown without its spans after so long, in ms. */
const spanPatience = 300;
/** Before it is looked up how launches ended, in ms. */
const crashPatience = 300;

export class SessionData {
  outline = new Outline();
  details;
  recording;
  /** What took time, one inside of the other. */
  spans;
  /** As the collector tells of it; null before it has. */
  session = null;
  crashes = new Map();
  /** Ids that a search brought; null: nothing is searched for. */
  found = null;
  /** What the search marks in them. */
  marks = [];
  tailState = "waiting";
  isLoading = true;
  #signal;
  #on;
  #loader;
  #searching = null;

  /**
   * @param {{id: string, signal: AbortSignal, onState: (error: Error|null) => void, onSession: (before: object|null) => void,
   *   onTail: () => void, onFound: (error: Error|null) => void, onEvents: (n: number) => void, onDetails: () => void, onReplay: () => void, onLooked: () => void, onChange: () => void,
   *   onLoaded: () => Promise<void>}} options
   *   `onFound`: a search has ended, or cannot be read; `onLooked`: it is known whether there is a replay; `onEvents`: so many are new; `onDetails`: some that were wanted are here; `onChange`: something else that is shown has
   */
  constructor({ id, signal, ...on }) {
    this.#signal = signal;
    this.#on = on;
    this.details = new Details(id, signal, () => on.onDetails());
    this.recording = new Recording(id, signal);
    this.spans = new Spans(id, signal);
    this.#loader = new Loader({
      id, outline: this.outline, details: this.details, signal, onState: on.onState, onSession: (session) => this.#learned(session),
      onEvents: (n) => { on.onEvents(n); this.#lookForSpans(); }, onTail: (state) => { this.tailState = state; on.onTail(); },
    });
  }

  /** @param {HTMLElement} notice  where it says why it takes long, or fails */
  open(notice) {
    new Opening({ loader: this.#loader, notice, signal: this.#signal, onState: this.#on.onState, onLoaded: () => this.#loaded() }).start();
  }

  async #loaded() {
    // Begins go out of the list when their ends are known: better before it is shown than under the eyes.
    await Promise.race([this.#lookForSpans(), new Promise((resolve) => setTimeout(resolve, spanPatience))]);
    await this.#on.onLoaded();
    this.#lookForReplays();
    // It asks about other sessions' launches: what one looks at comes first.
    setTimeout(() => this.#refreshCrashes(), crashPatience);
  }

  async #lookForSpans() {
    if (!this.outline.typeNames.includes("span")) return;
    try {
      if (await this.spans.look() && !this.isLoading && !this.#signal.aborted) this.#on.onChange();
    } catch { /* the session is here without them; the next event asks again */ }
  }

  #learned(session) {
    const before = this.session;
    if (same(before, session)) return;
    this.session = session;
    // The launch ended, or its ledger came.
    if (before && (before.live !== session.live || before.launchLedgers?.length !== session.launchLedgers?.length)) this.#refreshCrashes();
    this.#on.onSession(before);
  }

  #refreshCrashes() {
    if (this.#signal.aborted) return;
    findCrashes(this.session, this.#signal).then((crashes) => {
      this.crashes = crashes;
      if (!this.isLoading) this.#on.onChange();
    }).catch(() => { /* how it ended is then not told */ });
  }

  #lastLive = -Infinity;
  #hasLooked = false;

  /** What is recorded of the screen; while the session lives there comes more. */
  async #lookForReplays() {
    try {
      if (await this.recording.look()) this.#on.onReplay();
    } catch { /* the session is here without its replay */ }
    if (!this.#hasLooked && !this.#signal.aborted) this.#on.onLooked();
    this.#hasLooked = true;
    if (this.session.live) this.#lastLive = performance.now();
    if (performance.now() - this.#lastLive < replayPatience) setTimeout(() => { if (!this.#signal.aborted) this.#lookForReplays(); }, replayInterval);
  }

  /** Looks for words; of several searches the last one counts. */
  async search(text) {
    this.#searching?.abort();
    this.#searching = new AbortController();
    const { signal } = this.#searching;
    if (!text) {
      [this.found, this.marks] = [null, []];
      return this.#on.onFound(null);
    }
    try {
      const answer = await this.#loader.find(text, signal);
      if (signal.aborted || this.#signal.aborted) return;
      this.found = answer.found;
      this.marks = answer.marks;
      this.#on.onFound(null);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.code === "invalid_query") this.#on.onFound(error);
      else this.#on.onState(error);
    }
  }
}
