// What a virtual list shows: items by their place, each with a key, a height and a top.

/**
 * @typedef {object} Source
 * @property {number} length
 * @property {(index: number) => number} top      where an item begins, in pixels; at `length` the whole height
 * @property {(index: number) => string} key      names it for as long as it is shown
 * @property {(key: string) => number} indexOf    −1 when there is none
 * @property {(index: number) => unknown} item    what it is drawn from; another object when it has to be drawn again
 */

/** A source of a plain array whose items bring their keys and heights along: `{key, height}`. @returns {Source} */
export function arraySource(items) {
  const tops = new Float64Array(items.length + 1);
  const places = new Map();
  let top = 0;
  items.forEach((item, index) => {
    tops[index] = top;
    places.set(item.key, index);
    top += item.height;
  });
  tops[items.length] = top;
  return {
    items, length: items.length, top: (index) => tops[index], key: (index) => items[index].key,
    indexOf: (key) => places.get(key) ?? -1, item: (index) => items[index],
  };
}
