// Talks to the collector that served this page.

/** Why a request failed: `status` is 0 when nobody answered. */
export class ApiError extends Error {
  /** @param problems  of a document: everything that is wrong in it, each with its place */
  constructor(status, code, message, problems = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = problems;
  }
}

const keySlot = "automobile.key";

/** The key lives as long as the tab; null forgets it. */
export function setKey(key) {
  if (key) sessionStorage.setItem(keySlot, key);
  else sessionStorage.removeItem(keySlot);
}

/** Whether this tab has a key: it stands above who has signed in. */
export const hasKey = () => sessionStorage.getItem(keySlot) !== null;

/** Who has signed in is known by a cookie; that this page asks, and no other one, is said by a header that forms cannot send. */
export function headers(more = {}) {
  const key = sessionStorage.getItem(keySlot);
  const own = { ...more, "X-AutoMobile-Viewer": "1" };
  return key ? { ...own, Authorization: `Bearer ${key}` } : own;
}

/** `path` below `/api/`, `parameters` without empty values; a list is one parameter for each of its values. */
export function address(path, parameters = {}) {
  const url = new URL(`api/${path}`, document.baseURI);
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) for (const one of value) url.searchParams.append(name, one);
    else if (value !== null && value !== undefined && value !== "") url.searchParams.set(name, value);
  }
  // A plus sign is a blank in forms only.
  url.search = url.searchParams.toString().replaceAll("+", "%20");
  return url;
}

/** Asks for JSON. @throws ApiError */
export async function get(path, parameters, signal) {
  const { response, body } = await ask(path, parameters, signal, "application/json", (response) => response.json());
  if (body === null) throw new ApiError(response.status, "format", "The collector's response is not JSON.");
  return body;
}

/** Asks for what is taken as bytes. @returns {Promise<ArrayBuffer>} @throws ApiError */
export async function getBytes(path, parameters, signal, type) {
  const { response, body } = await ask(path, parameters, signal, type, (response) => response.arrayBuffer());
  if (body === null) throw new ApiError(response.status, "format", "The collector's response is incomplete.");
  return body;
}

async function ask(path, parameters, signal, type, read) {
  let response;
  try {
    response = await fetch(address(path, parameters), { headers: headers({ Accept: type }), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The collector is not responding.");
  }
  let body = null;
  try {
    body = response.ok ? await read(response) : await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (!response.ok) {
    throw new ApiError(response.status, body?.error?.code ?? "", body?.error?.message ?? `The collector answered ${response.status}.`);
  }
  return { response, body };
}
