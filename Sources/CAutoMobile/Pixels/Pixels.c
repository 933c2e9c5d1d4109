#include "CAutoMobilePixels.h"
#include "Pixels.h"

#include <string.h>

size_t am_pixels_changed_tiles(
    const uint32_t *left, const uint32_t *right, size_t width, size_t height, size_t edge, uint8_t *changed) {
  const size_t columns = (width + edge - 1) / edge;
  const size_t rows = (height + edge - 1) / edge;
  memset(changed, 0, columns * rows);
  size_t count = 0;
  for (size_t y = 0; y < height; y++) {
    const uint32_t *a = left + y * width, *b = right + y * width;
    // Most rows of most pictures are equal.
    if (memcmp(a, b, width * sizeof *a) == 0) continue;
    uint8_t *marks = changed + (y / edge) * columns;
    for (size_t column = 0; column < columns; column++) {
      if (marks[column]) continue;
      const size_t x = column * edge;
      if (memcmp(a + x, b + x, smaller(edge, width - x) * sizeof *a) == 0) continue;
      marks[column] = 1;
      count++;
    }
  }
  return count;
}

void am_pixels_row_hashes(
    const uint32_t *pixels, size_t width, size_t height, size_t from, size_t to, uint64_t *hashes) {
  for (size_t y = 0; y < height; y++) {
    const uint32_t *row = pixels + y * width;
    // Four sums side by side, so that no step waits for the one before it.
    uint64_t sums[4] = {1, 2, 3, 4};
    size_t x = from;
    for (; x + 4 <= to; x += 4) {
      for (size_t i = 0; i < 4; i++) sums[i] = (sums[i] ^ row[x + i]) * 0x9E3779B97F4A7C15u;
    }
    for (; x < to; x++) sums[0] = (sums[0] ^ row[x]) * 0x9E3779B97F4A7C15u;
    uint64_t hash = sums[0];
    for (size_t i = 1; i < 4; i++) hash = ((hash << 23 | hash >> 41) ^ sums[i]) * 0x9E3779B97F4A7C15u;
    hashes[y] = hash ^ hash >> 32;
  }
}

/// Where a hash of `before` has its slot, or the empty slot where it would be.
static size_t slot_of(const uint64_t *before, const uint32_t *table, size_t slots, uint64_t hash) {
  size_t slot = (size_t)(hash & (slots - 1));
  while (table[slot] != 0 && before[(table[slot] & 0x7FFFFFFF) - 1] != hash) slot = (slot + 1) & (slots - 1);
  return slot;
}

ptrdiff_t am_pixels_vertical_move(
    const uint64_t *before, const uint64_t *after, size_t top, size_t bottom, size_t least, uint32_t *table,
    size_t slots, uint32_t *votes) {
  if (bottom <= top || slots < 2 * (bottom - top)) return 0;
  const size_t rows = bottom - top;
  memset(table, 0, slots * sizeof *table);
  memset(votes, 0, 2 * rows * sizeof *votes);
  // The row's number and one; the highest bit says that there is another row like it, which tells nothing.
  const uint32_t repeated = 0x80000000;
  for (size_t y = top; y < bottom; y++) {
    const size_t slot = slot_of(before, table, slots, before[y]);
    table[slot] = table[slot] == 0 ? (uint32_t)(y + 1) : table[slot] | repeated;
  }
  for (size_t y = top; y < bottom; y++) {
    const uint32_t found = table[slot_of(before, table, slots, after[y])];
    if (found == 0 || (found & repeated) != 0) continue;
    votes[y + rows - (found - 1)]++;
  }
  size_t best = rows;
  for (size_t i = 0; i < 2 * rows; i++) {
    if (i != rows && votes[i] > votes[best]) best = i;
  }
  return best != rows && votes[best] >= least ? (ptrdiff_t)best - (ptrdiff_t)rows : 0;
}

void am_pixels_copy(
    const uint32_t *source, uint32_t *target, size_t picture_width, size_t x, size_t y, size_t width, size_t height,
    size_t to_x, size_t to_y) {
  for (size_t row = 0; row < height; row++) {
    memcpy(
        target + (to_y + row) * picture_width + to_x, source + (y + row) * picture_width + x, width * sizeof *source);
  }
}

void am_pixels_fill(
    uint32_t *pixels, size_t picture_width, size_t x, size_t y, size_t width, size_t height, uint32_t colour) {
  for (size_t row = y; row < y + height; row++) {
    uint32_t *line = pixels + row * picture_width;
    for (size_t column = x; column < x + width; column++) line[column] = colour;
  }
}

void am_pixels_take_tile(
    const uint32_t *picture, size_t width, size_t height, size_t x, size_t y, size_t edge, uint32_t *atlas,
    size_t atlas_width, size_t to_x, size_t to_y) {
  const size_t inside = smaller(edge, width - x);
  for (size_t row = 0; row < edge; row++) {
    const uint32_t *from = picture + smaller(y + row, height - 1) * width + x;
    uint32_t *to = atlas + (to_y + row) * atlas_width + to_x;
    memcpy(to, from, inside * sizeof *to);
    for (size_t column = inside; column < edge; column++) to[column] = from[inside - 1];
  }
}
