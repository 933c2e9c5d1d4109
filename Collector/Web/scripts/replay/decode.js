// JPEG and PNG images become pictures that can be drawn.

import { imageSize } from "./frame-records.js";
import { isPNG } from "./image-size.js";

/** Images that are decoded at one time, and their pixels: as many as the largest picture has. */
const together = 48;
const mostPixels = 1 << 24;

/** Many small images through blobs cost several times as much: each goes to another process and back. */
const hasDecoder = typeof ImageDecoder === "function";

/** @param {Uint8Array} data @returns {Promise<ImageBitmap>} the caller closes it */
export async function decodeImage(data) {
  const type = isPNG(data) ? "image/png" : "image/jpeg";
  if (!hasDecoder) return createImageBitmap(new Blob([data], { type }));
  const decoder = new ImageDecoder({ data, type });
  try {
    const { image } = await decoder.decode();
    try {
      return await createImageBitmap(image);
    } finally {
      image.close();
    }
  } finally {
    decoder.close();
  }
}

/** Hands the images of frames on, in their order; null where a frame has none. Whatever fails, none stays in memory. */
export async function decoded(frames, use) {
  for (const part of parts(frames)) {
    const images = await Promise.allSettled(part.map(({ image }) => image.length ? decodeImage(image) : null));
    try {
      for (const [offset, frame] of part.entries()) {
        const { status, value, reason } = images[offset];
        if (status === "rejected") throw reason;
        await use(frame, value);
      }
    } finally {
      for (const { value } of images) value?.close();
    }
  }
}

/** Frames, so many together that their images find room. */
function* parts(frames) {
  let part = [];
  let pixels = 0;
  for (const frame of frames) {
    const [width, height] = frame.image.length ? imageSize(frame) : [0, 0];
    if (part.length && (part.length >= together || pixels + width * height > mostPixels)) {
      yield part;
      [part, pixels] = [[], 0];
    }
    part.push(frame);
    pixels += width * height;
  }
  if (part.length) yield part;
}
