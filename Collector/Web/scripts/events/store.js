// The events of one session: all that is loaded, in time order, each once.

const before = (a, b) =>
  a.timestamp - b.timestamp || (a.launchId < b.launchId ? -1 : a.launchId > b.launchId ? 1 : a.sequence - b.sequence);

export class EventStore {
  /** In time order. */
  events = [];
  #ids = new Set();
  #texts = new WeakMap();

  get(id) {
    return this.#ids.has(id) ? this.events.find((event) => event.id === id) : undefined;
  }

  /** Adds what is new of `batch`; answers how many that were. */
  add(batch) {
    const fresh = batch.filter((event) => {
      event.id = String(event.id);
      if (this.#ids.has(event.id)) return false;
      this.#ids.add(event.id);
      return true;
    });
    if (!fresh.length) return 0;
    const last = this.events.at(-1);
    this.events.push(...fresh);
    // Pages and the tail come in order nearly always; what an earlier launch left behind comes late.
    const ordered = fresh.every((event, index) => {
      const previous = index ? fresh[index - 1] : last;
      return !previous || before(previous, event) <= 0;
    });
    if (!ordered) this.events.sort(before);
    return fresh.length;
  }

  /** The events that pass. `types` empty means all of them. */
  filter(types, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!types.size && !words.length) return this.events;
    return this.events.filter((event) => (!types.size || types.has(event.eventType)) && this.#holds(event, words));
  }

  #holds(event, words) {
    if (!words.length) return true;
    let text = this.#texts.get(event);
    if (text === undefined) {
      text = JSON.stringify(event.payload).toLowerCase();
      this.#texts.set(event, text);
    }
    return words.every((word) => text.includes(word));
  }

  /** How many of each type. */
  counts() {
    const counts = new Map();
    for (const { eventType } of this.events) counts.set(eventType, (counts.get(eventType) ?? 0) + 1);
    return counts;
  }
}
