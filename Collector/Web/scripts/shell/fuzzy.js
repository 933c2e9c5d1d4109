// How well something that is typed fits a title: the letters in order, better at the beginnings of words and side by side.

/** @returns {number} 0 when it does not fit; more is better */
export function score(query, text) {
  if (!query) return 1;
  const wanted = query.toLowerCase();
  const held = text.toLowerCase();
  const at = held.indexOf(wanted);
  if (at >= 0) return 1000 - at + (at === 0 || /[\s/.:_-]/.test(held[at - 1]) ? 500 : 0) - text.length / 100;
  let points = 0;
  let index = 0;
  let previous = -2;
  for (const letter of wanted) {
    if (letter === " ") continue;
    const found = held.indexOf(letter, index);
    if (found < 0) return 0;
    points += found === previous + 1 ? 8 : found === 0 || /[\s/.:_-]/.test(held[found - 1]) ? 6 : 1;
    previous = found;
    index = found + 1;
  }
  // Letters that are strewn over a long text fit anything.
  return points / wanted.length >= 3 ? points : 0;
}
