// The spans of a session: each with its begin, its end and where it is drawn. The collector has put begins and ends together.

import * as api from "../base/api.js";

const page = 1000;
/** More are not drawn. */
const most = 20_000;
/** Spans nested deeper, or running beside more others, share the last lane. */
export const lanes = 8;

export class Spans {
  #path;
  #signal;
  #newest = -1;
  #isAsking = false;
  #isStale = false;
  /** By what names a span: as it was told last. */
  #byName = new Map();
  /** Grows with each change. */
  version = 0;
  /** In the order of their begins. */
  rows = [];
  /** Begins of which the end is here as well: one span is one row of a list. */
  hidden = new Set();

  constructor(session, signal) {
    this.#path = `sessions/${encodeURIComponent(session)}/spans`;
    this.#signal = signal;
  }

  /** When the last of them ended. */
  end = -Infinity;

  get isFull() { return this.#byName.size >= most; }

  /** Asks for what is new. Says whether there was any. @throws when the collector cannot say */
  async look() {
    if (this.#isAsking) {
      this.#isStale = true;
      return false;
    }
    this.#isAsking = true;
    const before = this.version;
    try {
      do {
        this.#isStale = false;
        await this.#read();
      } while (this.#isStale && !this.#signal.aborted);
    } finally {
      this.#isAsking = false;
    }
    return this.version !== before;
  }

  async #read() {
    const newer = this.#newest;
    let after;
    let added = false;
    do {
      const { spans, next } = await api.get(this.#path, { newer, after, limit: page }, this.#signal);
      for (const span of spans) added = this.#add(span) || added;
      after = next;
    } while (after && !this.isFull);
    if (!added) return;
    this.rows = [...this.#byName.values()].sort((a, b) => a.timestamp - b.timestamp || a.event - b.event);
    this.version += 1;
  }

  #add(span) {
    this.#newest = Math.max(this.#newest, span.event);
    if (span.begun !== undefined) this.hidden.add(span.begun);
    this.end = Math.max(this.end, span.timestamp + (span.durationMs ?? 0));
    this.#byName.set(nameOf(span.traceId, span.spanId), span);
    return true;
  }

  /** The span that a `span` event, by its payload, tells of. */
  of({ traceId, spanId }) { return this.#byName.get(nameOf(traceId, spanId)); }

  parentOf(span) { return span.parentSpanId ? this.#byName.get(nameOf(span.traceId, span.parentSpanId)) : undefined; }

  childrenOf(span) { return this.rows.filter(({ traceId, parentSpanId }) => parentSpanId === span.spanId && traceId === span.traceId); }
}

const nameOf = (trace, span) => `${trace} ${span}`;

/**
 * Where spans are drawn: below their parent, and below what runs beside them.
 *
 * @param {Spans} spans  @param {object} outline
 * @returns {{events: Int32Array, ends: Float64Array, lanes: Uint8Array, rows: object[], laneCount: number}} columns in the order of begins
 */
export function layOut(spans, outline) {
  const rows = [];
  const places = [];
  for (const row of spans.rows) {
    const place = outline.indexOf(row.event);
    // One that the outline has not told of yet comes with the next look.
    if (place >= 0) {
      rows.push(row);
      places.push(place);
    }
  }
  const ends = endings(rows, places, outline);
  const lane = new Uint8Array(rows.length);
  const free = new Float64Array(lanes).fill(-Infinity);
  const laneOf = new Map();
  let laneCount = 1;
  rows.forEach((row, at) => {
    const parent = row.parentSpanId ? laneOf.get(nameOf(row.traceId, row.parentSpanId)) : undefined;
    const from = Math.min(parent === undefined ? 0 : parent + 1, lanes - 1);
    let chosen = from;
    while (chosen < lanes - 1 && free[chosen] > row.timestamp) chosen += 1;
    lane[at] = chosen;
    laneCount = Math.max(laneCount, chosen + 1);
    free[chosen] = Math.max(free[chosen], ends[at]);
    laneOf.set(nameOf(row.traceId, row.spanId), chosen);
  });
  return { events: Int32Array.from(places), ends, lanes: lane, rows, laneCount };
}

/** A span that nobody has ended lasts as long as its launch did. */
function endings(rows, places, outline) {
  const last = new Float64Array(outline.launchNames.length);
  if (rows.some(({ durationMs }) => durationMs === undefined)) {
    for (let index = 0; index < outline.length; index++) last[outline.launches[index]] = outline.times[index];
  }
  return Float64Array.from(rows, ({ timestamp, durationMs }, at) => durationMs === undefined ? last[outline.launches[places[at]]] : timestamp + durationMs);
}
