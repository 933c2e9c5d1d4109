// An outline as the collector packs it: the length of a head, the head as JSON, and columns of numbers that are taken as they are.

export const packedOutline = "application/vnd.automobile.outline";

/**
 * @param {ArrayBuffer} buffer
 * @param {Record<string, Function>} columns  the columns' arrays, in their order
 * @returns {{head: object, columns: Record<string, ArrayLike<number>>}}  views of the buffer
 */
export function unpack(buffer, columns) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  return {
    head,
    columns: Object.fromEntries(Object.entries(columns).map(([name, type]) => {
      const column = new type(buffer, offset, head.count);
      offset += column.byteLength;
      return [name, column];
    })),
  };
}
