// Opens a session: again and again while it is not there yet, with a word about why it is not.

import { fill, h } from "../base/dom.js";

/** After which a session that was not there is looked for again, in ms. */
const interval = 1000;

export class Opening {
  #loader;
  #notice;
  #signal;
  #onState;
  #onLoaded;
  #wasMissing = false;

  /** @param {{loader, notice: HTMLElement, signal: AbortSignal, onState: (error: Error) => void, onLoaded: () => Promise<void>}} options */
  constructor({ loader, notice, signal, onState, onLoaded }) {
    this.#loader = loader;
    this.#notice = notice;
    this.#signal = signal;
    this.#onState = onState;
    this.#onLoaded = onLoaded;
  }

  async start() {
    try {
      await this.#loader.load();
      await this.#onLoaded();
    } catch (error) {
      if (error.name !== "AbortError") this.#failed(error);
    }
  }

  #failed(error) {
    const isMissing = error.status === 404;
    if (!isMissing) this.#onState(error);
    // One that has just begun is there in a moment: its events are stored before they can be found.
    else setTimeout(() => { if (!this.#signal.aborted) this.start(); }, interval);
    // Said once, not each second.
    if (isMissing && this.#wasMissing) return;
    this.#wasMissing = isMissing;
    fill(this.#notice, h("strong", null, isMissing ? "Session not found" : "The session could not be loaded"),
      h("span", null, isMissing ? "It may have been deleted, or may belong to another collector." : error.message),
      isMissing ? h("a", { href: "#/" }, "All sessions") : h("button.small", { type: "button", onClick: () => this.start() }, "Try again"));
    this.#notice.hidden = false;
  }
}
