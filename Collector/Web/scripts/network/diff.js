// What differs between two texts, line by line.

/** More lines than this, after the same beginning and end: only that they differ is said. */
const most = 2000;

/**
 * @returns {{kind: "same"|"gone"|"come", text: string}[]|null} the lines of both, in order; null: too many differ
 */
export function lines(before, after) {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (left.length > most || right.length > most) return null;
  const same = (list) => list.map((text) => ({ kind: "same", text }));
  return [...same(a.slice(0, start)), ...between(left, right), ...same(a.slice(a.length - end))];
}

/** By the longest common subsequence. */
function between(a, b) {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    }
  }
  const result = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      result.push({ kind: "same", text: a[i] });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && table[(i + 1) * width + j] >= table[i * width + j + 1])) {
      result.push({ kind: "gone", text: a[i] });
      i += 1;
    } else {
      result.push({ kind: "come", text: b[j] });
      j += 1;
    }
  }
  return result;
}

/** Members of two objects, by name without regard to case: those that differ first. */
export function members(before, after) {
  const of = (object) => new Map(Object.entries(object !== null && typeof object === "object" ? object : {}).map(([key, value]) => [key.toLowerCase(), [key, String(value)]]));
  const a = of(before);
  const b = of(after);
  return [...new Set([...a.keys(), ...b.keys()])].sort().map((key) => {
    const [name, one] = a.get(key) ?? [b.get(key)[0], null];
    const other = b.get(key)?.[1] ?? null;
    return { name, before: one, after: other, differs: one !== other };
  }).sort((x, y) => y.differs - x.differs);
}
