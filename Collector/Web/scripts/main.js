// The viewer: sessions on the left, one session's timeline, one event on the right; the issues; and the requests.

import { askForKey, showHelp } from "./base/dialogs.js";
import * as route from "./base/route.js";
import { framesOf } from "./exchange/frames.js";
import { DetailPanel } from "./detail/panel.js";
import { IssueView } from "./issues/issue-view.js";
import { IssuesView } from "./issues/issues-view.js";
import { firstSteps } from "./sessions/first-steps.js";
import { NetworkView } from "./network/network-view.js";
import { SessionsPane } from "./sessions/pane.js";
import { SessionView } from "./timeline/session-view.js";

const element = (id) => document.getElementById(id);
const middle = element("session");
const banner = element("banner");

let view = null;
let shown = null;
/** The list of issues as it was left. */
let issues = "#/issues";
/** The requests as they were left. */
let requests = "#/network";

const panel = new DetailPanel(element("detail"), {
  onClose: () => view?.select(null),
  onStep: (by) => view?.step(by),
});

const sessions = new SessionsPane(element("sessions"), {
  onState(error) {
    state(error);
    const session = sessions.sessions.find(({ sessionId }) => sessionId === shown);
    if (session) view?.update?.(session);
    const name = session ? session.userId || "Session" : titles[document.body.dataset.view] ?? null;
    document.title = [name, "AutoMobile"].filter(Boolean).join(" · ");
  },
});

const titles = { issues: "Issues", issue: "Issues", network: "Network" };

/** Says what keeps the collector's answers away; null: nothing. */
function state(error) {
  if (error?.status === 401 || error?.status === 403) return askForKey(() => { sessions.refresh(); if (!view) navigate(); });
  banner.hidden = !error;
  if (error) {
    banner.textContent = error.status === 0
      ? "The collector does not answer. Is “automobile serve” still running? Trying again every two seconds."
      : `The collector refuses: ${error.message}`;
  }
}

function navigate() {
  const place = route.read();
  if (place.view === "session" && place.session === shown && view) {
    if (place.event !== view.place.event) view.select(place.event, { where: "center" });
    return;
  }
  if (place.view === "network" && view instanceof NetworkView) return view.visit(place);
  if (view instanceof IssuesView) issues = route.address(view.place);
  if (view instanceof NetworkView) requests = route.address(view.place);
  const left = view instanceof IssueView ? view.place.issue : null;
  view?.close();
  view = null;
  panel.close();
  shown = place.session;
  sessions.selected = shown;
  document.body.dataset.view = place.view;
  middle.replaceChildren();
  if (place.view === "issues" || place.view === "issue") {
    firstSteps.hide();
    document.title = "Issues · AutoMobile";
    view = place.view === "issues" ? new IssuesView({ element: middle, place, focus: left, onState: state })
      : new IssueView({ element: middle, place, back: issues, onState: state });
    return;
  }
  if (place.view === "network") {
    firstSteps.hide();
    document.title = "Network · AutoMobile";
    view = new NetworkView({
      element: middle, place, onState: state,
      onSelect(exchange) {
        if (exchange) panel.show(exchange.event, null, exchange);
        else panel.close();
      },
    });
    return;
  }
  if (!shown) {
    firstSteps.show(middle);
    return void sessions.refresh();
  }
  firstSteps.hide();
  view = new SessionView({
    ...place, id: shown, element: middle,
    onSelect(event, start) {
      if (event) panel.show(event, start, { frames: event.eventType === "network_request" ? framesOf(event, view.events) : [] });
      else panel.close();
      remember();
    },
    onPlace: remember,
  });
}

const remember = () => { if (view) route.replace(view.place); };

middle.addEventListener("wheel", () => view?.wheel?.(), { passive: true });
middle.addEventListener("touchmove", () => view?.wheel?.(), { passive: true });

const commands = {
  j: () => view?.step?.(1), ArrowDown: () => view?.step?.(1),
  k: () => view?.step?.(-1), ArrowUp: () => view?.step?.(-1),
  g: () => view?.edge?.(false), Home: () => view?.edge?.(false),
  G: () => view?.edge?.(true), End: () => view?.edge?.(true),
  e: () => view?.nextError?.(),
  f: () => view?.setFollow?.(true),
  c: () => document.querySelector("[data-action=copy]")?.click(),
  Enter: () => { if (!panel.open) view?.step?.(1); },
  "[": () => sessions.step(-1),
  "]": () => sessions.step(1),
  "/": () => view?.focusFilter?.(),
  i: () => visit(issues),
  n: () => visit(requests),
  s: () => document.querySelector(".sessions input")?.focus(),
  "?": showHelp,
};

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector("dialog[open]")) return;
  const writing = event.target.matches("input, textarea");
  if (event.key === "Escape") {
    if (writing) event.target.blur();
    else if (panel.open || view instanceof IssueView) view?.select(null);
    return;
  }
  if (writing) {
    // From the filter straight into what it found.
    if (event.key === "Enter" && event.target.id === "filter") { event.target.blur(); view?.edge?.(false); }
    return;
  }
  // Buttons, links and scrolling panels keep the keys that are theirs.
  const scrolls = ".detail *, .issue-page, .issue-page *";
  const own = { Enter: "button, a, summary", ArrowDown: scrolls, ArrowUp: scrolls, Home: scrolls, End: scrolls };
  if (own[event.key] && event.target.matches(own[event.key])) return;
  if (!Object.hasOwn(commands, event.key)) return;
  event.preventDefault();
  commands[event.key]();
});

/**
 * Goes to a place at once. The browser tells of a new address only after the keys that are pressed next: these would still go
 * to the view that is being left, and it would put its own address back.
 */
function visit(address) {
  if (location.hash === address) return;
  location.hash = address;
  visited = location.hash;
  navigate();
}
/** Where `visit` has gone, until the browser tells of it. */
let visited = null;

addEventListener("hashchange", () => {
  const isKnown = location.hash === visited;
  visited = null;
  if (!isKnown) navigate();
});
navigate();
sessions.refresh();
