// Server-sent events over fetch: unlike EventSource it can carry the key, and the place to resume from.

import { address, headers } from "./api.js";

/**
 * Follows new events until `signal` aborts, reconnecting with growing pauses and resuming after the last one seen.
 *
 * @param {object} parameters  of /api/tail
 * @param {{onEvent: (event: object) => void, onState: (state: "live"|"waiting") => void, signal: AbortSignal}} options
 */
export async function tail(parameters, { onEvent, onState, signal }) {
  let last = null;
  let pause = 500;
  while (!signal.aborted) {
    try {
      const resume = last === null ? {} : { "Last-Event-ID": last };
      const response = await fetch(address("tail", parameters), {
        headers: headers({ Accept: "text/event-stream", ...resume }), signal, cache: "no-store",
      });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      onState("live");
      pause = 500;
      for await (const message of messages(response.body)) {
        if (message.id !== null) last = message.id;
        if (message.event === "sdk-event") onEvent(JSON.parse(message.data));
      }
    } catch (error) {
      if (signal.aborted) return;
    }
    onState("waiting");
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, 8000);
  }
}

/** The messages of an event stream. */
async function* messages(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let message = { id: null, event: "message", data: "" };
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (message.data !== "") yield message;
        message = { id: null, event: "message", data: "" };
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "id") message.id = text;
      else if (field === "event") message.event = text;
      else if (field === "data") message.data += (message.data ? "\n" : "") + text;
    }
  }
}
