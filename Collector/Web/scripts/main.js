// The viewer: one page at a time, the panel beside it, and the keys and commands that all pages share.

import * as route from "./base/route.js";
import { DetailPanel } from "./detail/panel.js";
import { pages } from "./pages.js";
import { findSessions } from "./sessions/find.js";
import { loadSearches, onSavedSearches, savedSearches } from "./sessions/saved.js";
import { commands, commandsChanged, provide } from "./shell/commands.js";
import { showHelp } from "./shell/help.js";
import { listen } from "./shell/keyboard.js";
import { openPalette } from "./shell/palette.js";
import { topbar } from "./shell/topbar.js";
import { account } from "./sign-in/account.js";
import { askToSignIn } from "./sign-in/dialog.js";
import { isSignInPage, showSignInPage } from "./sign-in/page.js";
import { viewCommands } from "./shell/view-commands.js";

const element = (id) => document.getElementById(id);
const middle = element("session");
const banner = element("banner");

let view = null;
let page = null;
/** By page: the address of its list as it was left. */
const left = new Map();

const panel = new DetailPanel(element("detail"), {
  onClose: () => view?.select?.(null),
  onStep: (by) => view?.step?.(by),
});

const palette = () => openPalette(findSessions);
const bar = topbar(element("topbar"), { pages, onPalette: palette, onHelp: showHelp, account: account.element });

/** Says what keeps the collector's answers away; null: nothing. */
function state(error) {
  title();
  // A view that can ask again by itself keeps what was typed into it.
  const isOthers = error?.status === 403 && error.code === "project_only";
  if ((error?.status === 401 || error?.status === 403) && !isOthers) return askToSignIn(() => view?.reload?.() ?? navigate({ again: true }));
  banner.hidden = !error;
  if (error) {
    banner.textContent = error.status === 0
      ? "The collector is not responding. Is “automobile serve” still running? Retrying every two seconds."
      : `The collector refused: ${error.message}`;
  }
}

function title() {
  document.title = [view?.title ?? page?.title, "AutoMobile"].filter(Boolean).join(" · ");
}

function navigate({ again = false } = {}) {
  route.arrived();
  const place = route.read();
  const next = pages.find(({ views }) => views.includes(place.view));
  if (!again && view?.visit && view.place.view === place.view && view.visit(place) !== false) return;
  const from = view?.place ?? null;
  // The list of a page is what it was opened with first: issues, not one issue.
  if (from && from.view === page.views[0]) left.set(page, route.address(from));
  view?.close();
  view = null;
  panel.close();
  page = next;
  document.body.dataset.view = place.view;
  document.body.classList.remove("no-sessions");
  bar.current = page.name;
  middle.className = "pane session";
  middle.replaceChildren();
  const onPlace = () => { if (view) route.replace(view.place); };
  view = page.open(place, { element: middle, panel, onState: state, onPlace, from, back: left.get(page) ?? page.href });
  title();
  // From the second page on the focus goes where the eyes go, and a screen reader says where that is.
  if (from && !middle.contains(document.activeElement)) (middle.querySelector("h1[tabindex]") ?? middle).focus({ preventScroll: true });
}

provide(() => pages.map((one) => ({
  title: one.title, group: "Pages", keys: [one.key],
  // From another page back to the list as it was; on it to its beginning.
  run: () => visit(one === page && view?.place.view === one.views[0] ? one.href : left.get(one) ?? one.href),
})));
provide(() => viewCommands(view, panel));
provide(() => view?.commands);
provide(() => savedSearches().map(({ name, address }) => ({ title: name, hint: "saved search", group: "Saved searches", run: () => visit(address) })));
onSavedSearches(commandsChanged);
provide(() => account.commands);
provide(() => [
  { title: "Command palette", group: "Everywhere", keys: ["Mod+k"], palette: false, run: palette },
  { title: "Keyboard shortcuts", group: "Everywhere", keys: ["?"], run: showHelp },
  { title: "Light theme", group: "Everywhere", run: () => window.setTheme("light") },
  { title: "Dark theme", group: "Everywhere", run: () => window.setTheme("dark") },
  { title: "System theme", group: "Everywhere", run: () => window.setTheme(null) },
]);
listen(() => { if (panel.open || view?.place.view !== page.views[0]) view?.select?.(null, { isEscape: true }); });

middle.addEventListener("wheel", () => view?.wheel?.(), { passive: true });
middle.addEventListener("touchmove", () => view?.wheel?.(), { passive: true });
element("skip").addEventListener("click", () => (element("timeline") ?? middle).focus());

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
if (isSignInPage()) {
  showSignInPage(element("shell"));
} else {
  navigate();
  loadSearches().catch(() => { /* the pages say what is wrong */ });
  account.load();
}
