// How large a JPEG or a PNG is, from its first bytes: before anybody decodes it.

export const isPNG = (image) => image[0] === 0x89;

/** @param {Uint8Array} image  @returns {{width: number, height: number}|null}  null: it is neither, or does not say it */
export function sizeOf(image) {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength);
  if (isPNG(image)) return image.length >= 24 ? { width: view.getUint32(16), height: view.getUint32(20) } : null;
  return image.length >= 4 && view.getUint16(0) === 0xffd8 ? sizeOfJPEG(view) : null;
}

/** A JPEG is a row of segments: a marker, and a length. One of them is the head of the picture. */
function sizeOfJPEG(view) {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // What fills the space before a marker, and markers that stand for themselves.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isHead(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // The picture itself, or the end: its head should have come before.
    else if (marker < 0xc0 || marker === 0xd8 || marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + Math.max(view.getUint16(at + 2), 2);
  }
  return null;
}

/** Start of frame, of any kind of JPEG; three of the numbers mean other things. */
const isHead = (marker) => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
