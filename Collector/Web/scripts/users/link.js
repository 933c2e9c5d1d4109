// A user's name wherever it stands: it leads to all that is known of them.

import { h } from "../base/dom.js";
import * as route from "../base/route.js";

export const userAddress = (userId) => route.address({ view: "users", id: userId });

/** Nobody without a name has a page. */
export const userLink = (userId, ...more) => userId
  ? h("a.user", { href: userAddress(userId), title: `All sessions of ${userId}` }, userId, more) : h("span", null, "Anonymous", more);

/** A name inside of what is a link already, which leads on with a click of its own; by keys, `u` goes there. */
export const userName = (userId, shown = userId) => userId ? h("b.user", {
  title: `All sessions of ${userId}`,
  onClick: (event) => {
    // Whoever wants a new window wants the link that it stands in.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    route.go({ view: "users", id: userId });
  },
}, shown) : h("b", null, shown ?? "Anonymous");
