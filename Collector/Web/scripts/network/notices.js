// A list of requests that is empty says why.

import { fill, h } from "../base/dom.js";

const button = (label, onClick) => h("button.small", { type: "button", onClick }, label);

/** @param {{isFiltered: boolean, isSearch: boolean, onClear: () => void}} options */
export function drawNothing(notice, { isFiltered, isSearch, onClear }) {
  fill(notice, isFiltered
    ? [h("strong", null, "No request matches the filter"),
      isSearch ? h("span", null, "All words must match: beginnings of words in URLs, header values and bodies, any part of a user, app or device.") : null,
      button("Clear the filter", onClear)]
    : [h("strong", null, "No requests yet"),
      h("span", null, "Requests appear here once an app calls AutoMobileNetwork.shared.startInterception(), or records them itself.")]);
}

/** @param {{error: Error, isFiltered: boolean, onClear: () => void, onAgain: () => void}} options */
export function drawFailure(notice, { error, isFiltered, onClear, onAgain }) {
  fill(notice, h("strong", null, "The requests could not be loaded"), h("span", null, error.message),
    isFiltered ? button("Clear the filter", onClear) : button("Try again", onAgain));
}
