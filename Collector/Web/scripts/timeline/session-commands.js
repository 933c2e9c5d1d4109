// What can be done on the page of a session, besides what can be done on all.

/**
 * @param {{view: import("./session-view.js").SessionView, filters: import("./filters.js").Filters, onNudge: (by: number) => void,
 *   player: import("../replay/player.js").Player, onFit: () => void, onFollow: () => void, onNeighbour: (by: number) => void, onSave: () => void,
 *   onTrace: () => void}} about
 * @returns {import("../shell/commands.js").Command[]}
 */
export function sessionCommands({ view, filters, player, onNudge, onFit, onFollow, onNeighbour, onSave, onTrace }) {
  const group = "Session";
  const tab = (name, title, key) => ({ title, group, keys: [key], run: () => filters.show(name) });
  return [
    { title: "Back", group, keys: ["ArrowLeft"], palette: false, run: () => onNudge(-1) },
    { title: "Forward", group, keys: ["ArrowRight"], palette: false, run: () => onNudge(1) },
    { title: "Jump back 10×", group, keys: ["Shift+ArrowLeft"], palette: false, run: () => onNudge(-10) },
    { title: "Jump forward 10×", group, keys: ["Shift+ArrowRight"], palette: false, run: () => onNudge(10) },
    { title: "Next event", group, keys: ["."], palette: false, run: () => view.step(1) },
    { title: "Previous event", group, keys: [","], palette: false, run: () => view.step(-1) },
    ...playerCommands(player),
    { title: "Zoom in", group, keys: ["+", "="], run: () => view.zoom(2) },
    { title: "Zoom out", group, keys: ["-"], run: () => view.zoom(0.5) },
    { title: "Show the whole session", group, keys: ["0"], run: onFit },
    { title: "Jump to live or stop following", group, keys: ["f", "l"], run: onFollow },
    tab("", "Show all events", "1"), tab("log", "Show the log", "2"), tab("network", "Show the requests", "3"), tab("errors", "Show the errors", "4"),
    { title: "Previous session", group, keys: ["["], run: () => onNeighbour(-1) },
    { title: "Next session", group, keys: ["]"], run: () => onNeighbour(1) },
    { title: "Save the session as a file", group, run: onSave },
    { title: "Save the session as a Chrome trace", group, run: onTrace },
    { title: "Copy a link to this moment", group, keys: ["y"], run: () => navigator.clipboard?.writeText(location.href).catch(() => {}) },
  ];
}

function playerCommands(player) {
  if (player.element.hidden) return [];
  const group = "Replay";
  return [
    { title: "Play or pause", group, keys: [" "], run: () => player.toggle() },
    { title: "Next frame", group, keys: [">"], palette: false, run: () => player.stepFrame(1) },
    { title: "Previous frame", group, keys: ["<"], palette: false, run: () => player.stepFrame(-1) },
    { title: "Pictures or wireframes", group, keys: ["w"], run: () => player.switchKind() },
    { title: "Full-screen replay", group, keys: ["F"], run: () => player.toggleFullScreen() },
  ];
}
