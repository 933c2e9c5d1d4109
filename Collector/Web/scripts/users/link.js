// A user's name wherever it stands: it leads to all that is known of them.

import { h } from "../base/dom.js";
import * as route from "../base/route.js";

/** Two apps may call two people the same: where the app is known, the page is of its user alone. */
const placeOf = (userId, app) => ({ view: "users", id: userId, app });

export const goToUser = (userId, app) => route.go(placeOf(userId, app));

/** @param {string|null} app  the bundle id of the app that calls them so. Nobody without a name has a page. */
export const userLink = (userId, app) => userId
  ? h("a.user", { href: route.address(placeOf(userId, app)), title: `All sessions of ${userId}` }, userId) : h("span", null, "Anonymous");

/** A name inside of what leads elsewhere, which goes on with a click of its own; by keys, `u` goes there. */
export const userName = (userId, app, shown = userId) => userId ? h("b.user", {
  title: `All sessions of ${userId}`,
  onClick: (event) => {
    // Whoever wants a new window wants the link that it stands in.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    goToUser(userId, app);
  },
}, shown) : h("b", null, shown ?? "Anonymous");
