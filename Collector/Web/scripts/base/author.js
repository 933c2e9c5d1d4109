// The name under which one changes something: asked for where it is shown, kept in this browser.

const slot = "automobile.author";

/** Empty when nobody has said it. */
export function author() {
  try {
    return localStorage.getItem(slot) ?? "";
  } catch {
    return "";
  }
}

export function setAuthor(name) {
  try {
    localStorage.setItem(slot, name.trim());
  } catch { /* then it is asked for again */ }
}

/** What the collector is told along with a change. */
export const authorHeader = () => author() ? { "X-AutoMobile-Author": encodeURIComponent(author()) } : {};
