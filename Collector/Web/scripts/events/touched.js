// What was touched, in words: what it says of itself, else what it is and where.

/** What people call the views that have no words of their own. */
const kinds = [
  [/button/i, "a button"], [/switch|toggle/i, "a switch"], [/slider/i, "a slider"], [/text(field|view|editor)|searchbar/i, "a text field"],
  [/segment/i, "a segmented control"], [/cell/i, "a cell"], [/imageview/i, "an image"], [/tabbar/i, "the tab bar"], [/navigationbar/i, "the navigation bar"],
  [/^WK|webview/i, "a web page"], [/map/i, "a map"],
];
/** Views of the system's: their names say nothing of the app. */
const internal = /^(_|UI[A-Z]|NS[A-Z]|CA[A-Z]|WK[A-Z]|SwiftUI)|Hosting|PlatformView|CGDrawing/;

/** "ProductCell" and its like; "" for the name of a class that only its maker knows. */
const ownName = (viewType) => viewType && !internal.test(viewType) ? viewType : "";

/**
 * @param {object} properties  of an interaction
 * @returns {{name: string, place: string, type: string}}  `name`: what was touched, in quotation marks where it is the app's own word;
 *   `place`: where, when nothing else tells; `type`: the view's, where it tells something besides
 */
export function touched(properties) {
  const { text, accessibilityLabel, accessibilityIdentifier, viewType } = properties ?? {};
  const word = [text, accessibilityLabel, accessibilityIdentifier].find((value) => typeof value === "string" && value.trim());
  const type = typeof viewType === "string" ? viewType : "";
  if (word) return { name: `“${word}”`, place: "", type: ownName(type) };
  const name = ownName(type) ? `“${type}”` : kinds.find(([pattern]) => pattern.test(type))?.[1] ?? "";
  return { name, place: position(properties), type: "" };
}

function position(properties) {
  const { x, y } = properties ?? {};
  const place = [x, y].map(Number);
  return x !== undefined && y !== undefined && place.every(Number.isFinite) ? `at ${place.map(Math.round).join(", ")}` : "";
}
