// Takes in a session that somebody saved as a file: picked, or dropped onto the page. The collector reads it and says what is wrong.

import { ApiError, address, headers } from "../base/api.js";
import { h } from "../base/dom.js";
import * as route from "../base/route.js";

const type = "application/vnd.automobile.session+gzip";

export class OpenFile {
  element;
  #button;
  #problem = h("span.error", { role: "alert" });
  #signal;

  /** @param {{page: HTMLElement, signal: AbortSignal}} options  `page`: where a file may be dropped */
  constructor({ page, signal }) {
    this.#signal = signal;
    const field = h("input", { type: "file", accept: ".automobile", hidden: true, aria: { label: "Session file" }, onChange: () => {
      if (field.files.length) this.#open(field.files[0]);
      field.value = "";
    } });
    this.#button = h("button.small", { type: "button", title: "Open a saved session file, or drop one here", onClick: () => field.click() }, "Open file");
    this.element = h("span.open-file", null, this.#problem, this.#button, field);
    const isFile = (event) => event.dataTransfer?.types.includes("Files");
    page.addEventListener("dragover", (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      page.classList.add("dropping");
    }, { signal });
    page.addEventListener("dragleave", (event) => { if (!page.contains(event.relatedTarget)) page.classList.remove("dropping"); }, { signal });
    page.addEventListener("drop", (event) => {
      page.classList.remove("dropping");
      if (!isFile(event)) return;
      event.preventDefault();
      this.#open(event.dataTransfer.files[0]);
    }, { signal });
  }

  async #open(file) {
    this.#problem.textContent = "";
    this.#button.disabled = true;
    this.#button.textContent = "Opening…";
    try {
      const { sessionId } = await send(file, this.#signal);
      // Its events are found in a moment: the session's page waits for them.
      if (!this.#signal.aborted) route.go({ session: sessionId });
    } catch (error) {
      if (error.name !== "AbortError") this.#problem.textContent = error.message;
    }
    this.#button.disabled = false;
    this.#button.textContent = "Open file";
  }
}

async function send(file, signal) {
  let response;
  try {
    response = await fetch(address("import"), { method: "POST", headers: headers({ "Content-Type": type }), body: file, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    // A server that has seen enough of a file answers before it has all of it, and the browser tells that as a failure.
    throw new ApiError(0, "unreachable", "The collector is not responding, or the file is too large.");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, answer?.error?.code ?? "", answer?.error?.message ?? `The collector answered ${response.status}.`);
  return answer;
}
