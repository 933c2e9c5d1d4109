// All events of a session, as columns of numbers in the order of time. What is in them is fetched where it is looked at.

import { unpack } from "./packed-outline.js";

/** By name: what a column holds. */
const columns = {
  /** Milliseconds since 1970. */
  times: Float64Array, ids: Float64Array,
  /** Milliseconds; −1 for what has none. */
  durations: Int32Array,
  /** Equal for events of one type that come from one source. */
  origins: Uint32Array,
  /** Places in `typeNames` and `launchNames`. */
  types: Uint16Array, launches: Uint16Array,
  /** 0 verbose, 1 debug, 2 info, 3 warning, 4 error, 5 fatal. */
  severities: Uint8Array,
};
const names = Object.keys(columns);

export class Outline {
  length = 0;
  times = new Float64Array(0);
  ids = new Float64Array(0);
  durations = new Int32Array(0);
  origins = new Uint32Array(0);
  types = new Uint16Array(0);
  launches = new Uint16Array(0);
  severities = new Uint8Array(0);
  typeNames = [];
  launchNames = [];
  /** The id up to which everything is here. */
  newest = 0;
  /** Names of screens, by the id of the event. */
  screens = new Map();
  /** Grows with each change. */
  version = 0;
  #byId = null;
  #navigations = null;

  /** Adds what the collector answered, packed; says how many events were new. */
  add(answer) {
    const { head, columns: fresh } = unpack(answer, columns);
    for (const [id, name] of head.screens) this.screens.set(id, name);
    const types = head.typeNames.map((name) => number(this.typeNames, name));
    const launches = head.launchNames.map((name) => number(this.launchNames, name));
    renumber(fresh.types, types);
    renumber(fresh.launches, launches);
    const added = this.length ? this.#merge(fresh) : this.#take(fresh);
    this.newest = Math.max(this.newest, head.newest);
    if (added) {
      this.version += 1;
      this.#byId = this.#navigations = null;
    }
    return added;
  }

  /** The first answer is what it is: nothing is copied. */
  #take(fresh) {
    for (const name of names) this[name] = fresh[name];
    return this.length = fresh.ids.length;
  }

  /** New events come at the end nearly always; what an earlier launch left behind comes late. */
  #merge(fresh) {
    const chosen = new Uint32Array(fresh.ids.length);
    let added = 0;
    for (let index = 0; index < fresh.ids.length; index++) if (this.indexOf(fresh.ids[index]) < 0) chosen[added++] = index;
    if (!added) return 0;
    const total = this.length + added;
    for (const name of names) this[name] = this.#room(this[name], total);
    // Of one millisecond a crash is the last, as the collector has it: it ended the process.
    const crash = this.typeNames.indexOf("crash");
    const tie = ({ ids, types }, at) => ids[at] + (types[at] === crash ? 2 ** 52 : 0);
    // From the end, so that what is there moves out of the way only as far as something goes before it.
    let old = this.length - 1;
    let next = added - 1;
    for (let place = total - 1; next >= 0; place--) {
      const from = chosen[next];
      const isLater = old < 0 || fresh.times[from] > this.times[old]
        || (fresh.times[from] === this.times[old] && tie(fresh, from) > tie(this, old));
      for (const name of names) this[name][place] = isLater ? fresh[name][from] : this[name][old];
      if (isLater) next -= 1;
      else old -= 1;
    }
    this.length = total;
    return added;
  }

  #room(array, length) {
    if (array.length >= length) return array;
    const larger = new array.constructor(Math.max(length, Math.ceil(array.length * 1.5)));
    larger.set(array);
    return larger;
  }

  get start() { return this.length ? this.times[0] : 0; }
  get end() { return this.length ? this.times[this.length - 1] : 0; }

  typeOf(index) { return this.typeNames[this.types[index]]; }

  /** Where an event is; −1 when it is not here. */
  indexOf(id) {
    const { ids } = this;
    const order = this.#byId ??= this.#sorted();
    const wanted = Number(id);
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const place = order ? order[middle] : middle;
      if (ids[place] === wanted) return place;
      if (ids[place] < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** The places by id; false when they are in that order anyway, as those of one launch are. */
  #sorted() {
    const { ids, length } = this;
    let at = 1;
    while (at < length && ids[at - 1] < ids[at]) at += 1;
    return at >= length ? false : Uint32Array.from({ length }, (_, index) => index).sort((a, b) => ids[a] - ids[b]);
  }

  /** The last event at a time or before it; −1 before the first. */
  at(time) {
    let low = -1;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many of each type, and how many errors. */
  counts() {
    const { types, length } = this;
    const numbers = new Float64Array(this.typeNames.length);
    let errors = 0;
    for (let index = 0; index < length; index++) {
      numbers[types[index]] += 1;
      if (this.isError(index)) errors += 1;
    }
    return { byType: new Map(this.typeNames.map((name, type) => [name, numbers[type]]).filter(([, n]) => n > 0)), errors };
  }

  /** Whether it counts as an error: a crash, a hang, a failure, a failed request, an error in the log. */
  isError(index) { return this.severities[index] >= 4; }

  /** −1 when nothing went wrong. */
  get firstError() {
    for (let index = 0; index < this.length; index++) if (this.isError(index)) return index;
    return -1;
  }

  /** The screen at an event, or before it; "" before the first. */
  screenAt(index) {
    const { navigations } = this;
    let low = -1;
    let high = navigations.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (navigations[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return low < 0 ? "" : this.screens.get(this.ids[navigations[low]]) ?? "";
  }

  /** Where one went from screen to screen: places of events. */
  get navigations() {
    return this.#navigations ??= this.placesOf("navigation");
  }

  /** Where the events of a type are. */
  placesOf(name) {
    const type = this.typeNames.indexOf(name);
    const places = [];
    for (let index = 0; index < this.length; index++) if (this.types[index] === type) places.push(index);
    return places;
  }
}

function number(known, name) {
  const at = known.indexOf(name);
  return at >= 0 ? at : known.push(name) - 1;
}

/** An answer numbers names as they come in it. */
function renumber(values, places) {
  if (places.every((place, at) => place === at)) return;
  for (let index = 0; index < values.length; index++) values[index] = places[values[index]];
}
