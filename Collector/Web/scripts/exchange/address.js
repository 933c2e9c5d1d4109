// Where a request went, taken apart.

/** @returns {{scheme: string, host: string, path: string, query: [string, string][], whole: string}} */
export function addressOf(payload) {
  const whole = typeof payload.url === "string" ? payload.url : "";
  try {
    const url = new URL(whole);
    if (!url.host) throw new TypeError("no host");
    return { scheme: url.protocol.slice(0, -1), host: url.host, path: decoded(url.pathname), query: [...url.searchParams], whole };
  } catch {
    const [path, query = ""] = whole.split("?", 2);
    return {
      scheme: "", host: text(payload.host), path: text(payload.path) || path || "?", query: [...new URLSearchParams(query)], whole,
    };
  }
}

const text = (value) => typeof value === "string" ? value : "";

function decoded(path) {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** What an answer's number means. */
export const phrase = (status) => Object.hasOwn(phrases, status) ? phrases[status] : "";

const phrases = {
  100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
  206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
  307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
  403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
  409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
  414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 418: "I’m a teapot",
  421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 425: "Too Early", 426: "Upgrade Required",
  428: "Precondition Required", 429: "Too Many Requests", 431: "Header Fields Too Large",
  451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
  503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  511: "Network Authentication Required",
};

/** Whether the app itself called the request off. */
export const isCancelled = (payload) => payload.errorDomain === "NSURLErrorDomain" && payload.errorCode === -999;

/** Whether the app's process ended before an answer came. */
export const isUnfinished = (payload) => payload.unfinished === true;

/** No response, or one from 400 upwards: what the collector calls failed (`RequestOutcome`), and counts as an error. */
export function hasFailed(payload) {
  const { statusCode: status, error } = payload;
  return !isCancelled(payload) && !isUnfinished(payload) && (typeof error === "string" || !(status >= 0 && status < 400));
}

/** How bad it is: "error", "warning" or "". */
export const toneOf = (payload) => hasFailed(payload) ? "error" : isUnfinished(payload) && !isCancelled(payload) ? "warning" : "";

/** In a few characters: the status, or why there is none. */
export const badgeOf = (payload) =>
  String(payload.statusCode ?? (isCancelled(payload) ? "cancelled" : isUnfinished(payload) ? "unfinished" : "failed"));
