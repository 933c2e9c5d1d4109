// The pages: where each is found, and how it is opened.

import { HealthView } from "./health/health-view.js";
import { IssueView } from "./issues/issue-view.js";
import { IssuesView } from "./issues/issues-view.js";
import { comparison } from "./network/compare.js";
import { NetworkView } from "./network/network-view.js";
import { SessionsView } from "./sessions/sessions-view.js";
import { SettingsView } from "./settings/settings-view.js";
import { StorageView } from "./storage/storage-view.js";
import { SessionView } from "./timeline/session-view.js";
import { UserView } from "./users/user-view.js";

/**
 * @typedef {object} Page
 * @property {string} name
 * @property {string} title
 * @property {string} href      its beginning
 * @property {string} key       goes there
 * @property {string[]} views   the views that it has, as places name them
 * @property {(place: object, context: Context) => View} open
 *
 * @typedef {object} Context
 * @property {HTMLElement} element             to be filled
 * @property {import("./detail/panel.js").DetailPanel} panel   beside it
 * @property {(error: Error|null) => void} onState   says what keeps the collector's answers away; null: nothing
 * @property {() => void} onPlace              the view's place has changed: it goes into the address
 * @property {object|null} from                the place that one comes from
 * @property {string} back                     the address of the page's list, as it was left
 *
 * @typedef {object} View   all but `close` and `place` may be missing
 * @property {object} place
 * @property {string} [title]                  for the window
 * @property {() => void} close
 * @property {(place: object) => boolean|void} [visit]   goes to another place of the same view; false: it cannot
 * @property {import("./shell/commands.js").Command[]} [commands]   what can be done on it
 * @property {(by: number) => void} [step]     j and k
 * @property {(last: boolean) => void} [edge]  g and G
 * @property {() => void} [nextError]          e
 * @property {(id: string|null, about?: {isEscape: boolean}) => void} [select]   null: Escape, or a panel's button
 * @property {() => void} [focusFilter]        the slash
 */

/** @type {Page[]} */
export const pages = [
  {
    name: "sessions", title: "Sessions", href: "#/", key: "s", views: ["sessions", "session", "users"],
    open(place, { element, panel, onState, onPlace, from, back }) {
      if (place.view === "sessions") return new SessionsView({ element, place, onState, focus: from?.view === "session" ? from.session : null });
      if (place.view === "users") return new UserView({ element, place, back, onState });
      return new SessionView({ element, place, panel, back, onPlace, onState });
    },
  },
  {
    name: "issues", title: "Issues", href: "#/issues", key: "i", views: ["issues", "issue"],
    open(place, { element, onState, from, back }) {
      return place.view === "issues" ? new IssuesView({ element, place, focus: from?.view === "issue" ? from.issue : null, onState })
        : new IssueView({ element, place, back, onState });
    },
  },
  {
    name: "network", title: "Network", href: "#/network", key: "n", views: ["network"],
    open(place, { element, panel, onState }) {
      return new NetworkView({
        element, place, onState,
        onSelect(exchange) {
          if (exchange) panel.show(exchange.event, null, exchange);
          else panel.close();
        },
        onCompare: (before, after) => panel.showMoment(comparison(before, after, { onClose: () => panel.leave() })),
      });
    },
  },
  {
    name: "storage", title: "Storage", href: "#/storage", key: "d", views: ["storage"],
    open: (place, { element, onState }) => new StorageView({ element, place, onState }),
  },
  {
    name: "health", title: "App health", href: "#/health", key: "h", views: ["health"],
    open: (place, { element, onState }) => new HealthView({ element, place, onState }),
  },
  {
    name: "settings", title: "Settings", href: "#/settings", key: ",", views: ["settings"],
    open: (place, { element, onState }) => new SettingsView({ element, place, onState }),
  },
];
