// All events of a session, as columns of numbers in the order of time. What is in them is fetched where it is looked at.

export class Outline {
  length = 0;
  /** Milliseconds since 1970. */
  times = new Float64Array(0);
  ids = new Float64Array(0);
  /** Places in `typeNames` and `launchNames`. */
  types = new Uint16Array(0);
  launches = new Uint16Array(0);
  /** 0 verbose, 1 debug, 2 info, 3 warning, 4 error, 5 fatal. */
  severities = new Uint8Array(0);
  /** Milliseconds; −1 for what has none. */
  durations = new Float64Array(0);
  /** Equal for events of one type that come from one source. */
  origins = new Uint32Array(0);
  typeNames = [];
  launchNames = [];
  /** The id up to which everything is here. */
  newest = 0;
  /** Names of screens, by the id of the event. */
  screens = new Map();
  /** Grows with each change. */
  version = 0;
  #places = null;

  /** Adds what the collector answered; says how many events were new. */
  add(answer) {
    const fresh = this.#decode(answer);
    this.newest = Math.max(this.newest, answer.newest);
    for (const [id, name] of answer.screens) this.screens.set(id, name);
    if (!fresh.length) return 0;
    this.version += 1;
    this.#places = null;
    this.#merge(fresh);
    return fresh.length;
  }

  #decode({ times, ids, types, launches, severities, durations, origins, typeNames, launchNames }) {
    const type = typeNames.map((name) => number(this.typeNames, name));
    const launch = launchNames.map((name) => number(this.launchNames, name));
    const rows = [];
    let time = 0;
    let id = 0;
    const isKnown = this.length > 0;
    for (let index = 0; index < ids.length; index++) {
      time += times[index];
      id += ids[index];
      if (isKnown && this.indexOf(id) >= 0) continue;
      rows.push([time, id, type[types[index]], launch[launches[index]], severities[index], durations[index], origins[index]]);
    }
    return rows;
  }

  /** New events come at the end nearly always; what an earlier launch left behind comes late. */
  #merge(rows) {
    const { length } = this;
    const isAppend = !length || rows[0][0] > this.times[length - 1] || (rows[0][0] === this.times[length - 1] && rows[0][1] > this.ids[length - 1]);
    const total = length + rows.length;
    const columns = ["times", "ids", "types", "launches", "severities", "durations", "origins"];
    if (isAppend) {
      columns.forEach((name, column) => {
        const values = this.#room(this[name], total);
        for (let index = 0; index < rows.length; index++) values[length + index] = rows[index][column];
        this[name] = values;
      });
    } else {
      const old = Array.from({ length }, (_, index) => columns.map((name) => this[name][index]));
      const all = [...old, ...rows].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      columns.forEach((name, column) => {
        const values = this.#room(this[name], total);
        for (let index = 0; index < total; index++) values[index] = all[index][column];
        this[name] = values;
      });
    }
    this.length = total;
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
    if (!this.#places) {
      this.#places = new Map();
      for (let index = 0; index < this.length; index++) this.#places.set(this.ids[index], index);
    }
    return this.#places.get(Number(id)) ?? -1;
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

  /** How many of each type. */
  counts() {
    const numbers = new Float64Array(this.typeNames.length);
    for (let index = 0; index < this.length; index++) numbers[this.types[index]] += 1;
    return new Map(this.typeNames.map((name, type) => [name, numbers[type]]).filter(([, n]) => n > 0));
  }

  /** The screen at an event, or before it; "" before the first. */
  screenAt(index) {
    const navigation = this.typeNames.indexOf("navigation");
    for (let at = index; at >= 0; at--) {
      if (this.types[at] === navigation) return this.screens.get(this.ids[at]) ?? "";
    }
    return "";
  }
}

function number(names, name) {
  const at = names.indexOf(name);
  return at >= 0 ? at : names.push(name) - 1;
}
