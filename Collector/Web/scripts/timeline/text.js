// Text on a canvas.

/** As much of a text as fits. */
export function fittingText(context, words, left, middle, room) {
  if (context.measureText(words).width > room) {
    let length = Math.floor(words.length * room / context.measureText(words).width);
    if (length < 3) return;
    while (length > 2 && context.measureText(`${words.slice(0, length)}…`).width > room) length -= 1;
    words = `${words.slice(0, length)}…`;
  }
  context.fillText(words, left, middle);
}
