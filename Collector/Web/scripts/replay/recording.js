// The replays of a session: which segments there are, and what is in them, fetched when it is looked at.

import * as api from "../base/api.js";
import { plural } from "../base/format.js";
import { lastUpTo, readFrames } from "./frame-records.js";

/** Of what was fetched stays so much, in bytes. */
const most = 64 << 20;
/** A gap whose end is not known is shown so long at most, in ms. */
const longestGap = 10_000;
const gapNames = { slow: "the device was busy", disk: "the disk was full or slow", memory: "memory was low", network: "the network was slow", uncertain: "masking was not certain" };
const faultNames = { signal: "Crash", exception: "Crash", crash: "Crash", anr: "Hang" };

export class Recording {
  #session;
  #signal;
  /** By id: what was fetched, the latest at the end. */
  #kept = new Map();
  #bytes = 0;
  /** By kind: segments in the order of time. */
  #segments = { screenshots: [], hierarchy: [], events: [] };
  /** What the recorder says of itself, in the order of time: {time, type, …}. */
  notes = [];
  /** What was read of it, by segment: {key, notes}. */
  #read = new Map();
  /** Where frames were lost: {from, to, dropped, reason, title}. */
  gaps = [];
  /** Where the app was in the background, as [from, to]. */
  backgrounds = [];
  /** What went wrong, as it was told beside the telemetry: {time, title}. */
  faults = [];
  /** Grows with each change. */
  version = 0;
  start = Infinity;
  end = -Infinity;

  constructor(session, signal) {
    this.#session = session;
    this.#signal = signal;
  }

  get isEmpty() { return !this.#segments.screenshots.length && !this.#segments.hierarchy.length; }
  get hasPictures() { return this.#segments.screenshots.length > 0; }
  get hasWireframes() { return this.#segments.hierarchy.length > 0; }
  /** When there is something to see first; Infinity when there never is. */
  get firstPicture() { return Math.min(...[this.#segments.screenshots, this.#segments.hierarchy].map(([first]) => first?.time ?? Infinity)); }
  /** Where there is something to see, as [from, to]. */
  get ranges() { return [...this.#segments.screenshots, ...this.#segments.hierarchy].map(({ time, last }) => [time, last]); }

  /** Looks what there is; says whether that is more than before. */
  async look() {
    const { replays } = await api.get(`sessions/${encodeURIComponent(this.#session)}/replays`, {}, this.#signal);
    const segments = { screenshots: [], hierarchy: [], events: [] };
    const faults = [];
    for (const { replayId, segments: all, endedAt, faults: told = [] } of replays) {
      for (const { timestamp, category, identifier } of told) faults.push({ time: timestamp, title: [faultNames[category] ?? category, identifier].filter(Boolean).join(": ") });
      // While it is recorded, a segment comes in parts: it grows, and with it the name of what is kept of it.
      for (const { id, kind, first, last, frames, bytes, parts = 1 } of all) {
        segments[kind]?.push({ id, key: `${id} ${parts}`, parts, replay: replayId, time: first, last, frames, bytes });
        this.start = Math.min(this.start, first);
        this.end = Math.max(this.end, last);
      }
      if (all.length && endedAt) this.end = Math.max(this.end, endedAt);
    }
    for (const list of Object.values(segments)) list.sort((a, b) => a.time - b.time);
    const before = this.#counts;
    this.#segments = segments;
    this.faults = faults;
    await this.#readNotes();
    if (this.#counts === before) return false;
    this.#findGaps();
    this.version += 1;
    return true;
  }

  get #counts() {
    const segments = Object.values(this.#segments);
    const parts = segments.map((list) => list.reduce((sum, segment) => sum + segment.parts, 0));
    return [...[...segments, this.notes, this.faults].map(({ length }) => length), ...parts].join(" ");
  }

  /** What is missing, from what the recorder says: until the next whole picture. */
  #findGaps() {
    const { screenshots } = this.#segments;
    this.gaps = this.notes.filter(({ type }) => type === "gap").map(({ time, dropped, reason, until }) => {
      const next = screenshots[lastUpTo(screenshots, time) + 1]?.time ?? time;
      const words = Number.isFinite(dropped) && dropped > 0 ? `${plural(dropped, "frame")} lost` : "Frames lost";
      const to = until > time ? until : Math.min(next, time + longestGap);
      return { from: time, to, dropped, reason, title: gapNames[reason] ? `${words}: ${gapNames[reason]}` : words };
    });
    this.backgrounds = [];
    let since = null;
    for (const { type, time } of this.notes) {
      if (type === "background") since ??= time;
      else if (since !== null && (type === "foreground" || type === "session_start" || type === "session_end")) {
        this.backgrounds.push([since, time]);
        since = null;
      }
    }
  }

  /** The gap at a moment, or so near to it. */
  gapAt(time, near = 0) { return this.gaps.find(({ from, to }) => time >= from - near && time <= to + near) ?? null; }

  /** What has the recorder's own events is small, and all of it is wanted. */
  async #readNotes() {
    const fresh = this.#segments.events.filter(({ id, key }) => this.#read.get(id)?.key !== key).slice(0, 200);
    const texts = await Promise.allSettled(fresh.map((segment) => this.#fetch(segment)));
    texts.forEach(({ status, value }, index) => {
      if (status !== "fulfilled") return;
      const { id, key } = fresh[index];
      this.#read.set(id, { key, notes: lines(value).map((line) => ({ ...line, time: line.t })) });
    });
    if (fresh.length) this.notes = [...this.#read.values()].flatMap(({ notes }) => notes).sort((a, b) => a.time - b.time);
  }

  /** The segment of a kind in which a moment lies, or the last one before. */
  segmentAt(kind, time) {
    const list = this.#segments[kind];
    return list[lastUpTo(list, time)] ?? null;
  }

  next(kind, segment) {
    const list = this.#segments[kind];
    return list[list.indexOf(segment) + 1] ?? null;
  }

  before(kind, segment) { return this.#segments[kind][this.#segments[kind].indexOf(segment) - 1] ?? null; }

  /** Frames, or snapshots. */
  async contents(kind, segment) {
    let kept = this.#kept.get(segment.key);
    if (kept) {
      this.#kept.delete(segment.key);
      this.#kept.set(segment.key, kept);
    } else {
      const bytes = segment.bytes * (kind === "hierarchy" ? 12 : 1);
      const promise = this.#fetch(segment).then((buffer) => kind === "screenshots" ? readFrames(buffer) : lines(buffer).map((line) => ({ ...line, time: line.t })));
      kept = { bytes, promise, value: null };
      this.#kept.set(segment.key, kept);
      this.#bytes += bytes;
      promise.then((value) => { kept.value = value; }, () => this.#forget(segment.key));
      for (const key of this.#kept.keys()) if (this.#bytes > most && key !== segment.key) this.#forget(key);
    }
    return kept.value ?? kept.promise;
  }

  /** What was fetched already; null otherwise. */
  here(segment) { return segment && this.#kept.get(segment.key)?.value || null; }

  #forget(key) {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }

  #fetch({ replay, id, parts }) {
    return api.getBytes(`replays/${encodeURIComponent(replay)}/segments/${id}`, { parts }, this.#signal, "*/*");
  }

  /** When something next changes on the screen; Infinity when nothing does. */
  nextChange(time) {
    let next = Infinity;
    for (const kind of ["screenshots", "hierarchy"]) {
      const segment = this.segmentAt(kind, time);
      const here = this.here(segment);
      const following = here ? here[lastUpTo(here, time) + 1] : segment && segment.last > time ? { time } : null;
      next = Math.min(next, following?.time ?? this.#after(kind, time)?.time ?? Infinity);
    }
    return next;
  }

  #after(kind, time) {
    const list = this.#segments[kind];
    return list[lastUpTo(list, time) + 1];
  }

  /** What the recorder says of a moment: in the background, frames lost. */
  noteAt(time) {
    const notes = this.notes;
    for (let at = lastUpTo(notes, time); at >= 0; at--) {
      const { type } = notes[at];
      if (type === "background" || type === "foreground" || type === "session_start" || type === "session_end") return notes[at];
    }
    return null;
  }
}

/** Lines of JSON; what is none is left out. */
function lines(buffer) {
  const found = [];
  for (const line of new TextDecoder().decode(buffer).split("\n")) {
    if (!line) continue;
    try {
      const value = JSON.parse(line);
      if (value && Number.isFinite(value.t)) found.push(value);
    } catch { /* the last line of what broke off */ }
  }
  return found.sort((a, b) => a.t - b.t);
}
