// Sends what changes something. The collector takes it from its own pages only, and from whoever has the key for it.

import { ApiError, address, headers } from "./api.js";
import { authorHeader } from "./author.js";

/** @returns {Promise<object>} the collector's answer; throws an ApiError that says what was wrong */
export async function send(method, path, body = {}, signal = undefined) {
  let response;
  try {
    response = await fetch(address(path), {
      method, headers: headers({ Accept: "application/json", "Content-Type": "application/json", ...authorHeader() }),
      body: method === "DELETE" ? undefined : JSON.stringify(body), signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The collector is not responding.");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(response.status, answer?.error?.code ?? "", answer?.error?.message ?? `The collector answered ${response.status}.`, answer?.error?.problems ?? null);
  }
  return answer ?? {};
}
