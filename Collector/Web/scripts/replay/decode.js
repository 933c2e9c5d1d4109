// JPEG and PNG images become pictures that can be drawn.

import { isPNG } from "./frame-records.js";

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
