#include "CAutoMobilePixels.h"
#include "Pixels.h"

#include <stdlib.h>
#include <string.h>

/// Near enough to how bright an eye finds it, and exact in integers.
static inline unsigned brightness(uint32_t pixel) {
  return ((pixel & 255) + 2 * (pixel >> 8 & 255) + (pixel >> 16 & 255)) / 4;
}

void am_pixels_row_brightness(
    const uint32_t *pixels, size_t width, size_t height, size_t from, size_t to, uint8_t *bands) {
  const size_t columns = to > from ? to - from : 0;
  for (size_t y = 0; y < height; y++) {
    const uint32_t *row = pixels + y * width;
    for (size_t band = 0; band < am_pixels_bands; band++) {
      const size_t first = from + columns * band / am_pixels_bands;
      const size_t end = from + columns * (band + 1) / am_pixels_bands;
      unsigned sum = 0;
      for (size_t x = first; x < end; x++) sum += brightness(row[x]);
      bands[y * am_pixels_bands + band] = end > first ? (uint8_t)(sum / (end - first)) : 0;
    }
  }
}

/// How far rows are from those `shift` rows above them before, on average and times 256.
static uint64_t distance(
    const uint8_t *before, const uint8_t *after, size_t top, size_t bottom, ptrdiff_t shift) {
  const size_t first = shift > 0 ? top + (size_t)shift : top;
  const size_t end = shift < 0 ? bottom - (size_t)-shift : bottom;
  const uint8_t *a = after + first * am_pixels_bands;
  const uint8_t *b = before + (size_t)((ptrdiff_t)first - shift) * am_pixels_bands;
  const size_t count = (end - first) * am_pixels_bands;
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += (uint32_t)abs((int)a[i] - (int)b[i]);
  return ((uint64_t)sum << 8) / count;
}

ptrdiff_t am_pixels_vertical_drift(
    const uint8_t *before, const uint8_t *after, size_t top, size_t bottom, size_t least) {
  if (bottom <= top || least == 0 || bottom - top <= least) return 0;
  const ptrdiff_t farthest = (ptrdiff_t)(bottom - top - least);
  const uint64_t still = distance(before, after, top, bottom, 0);
  uint64_t nearest = still / 2;
  ptrdiff_t best = 0;
  // From the nearest outwards: of two that are alike, a person is likelier to have scrolled the shorter way.
  for (ptrdiff_t shift = 1; shift <= farthest; shift++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const uint64_t found = distance(before, after, top, bottom, sign * shift);
      if (found >= nearest) continue;
      nearest = found;
      best = sign * shift;
    }
  }
  return best;
}

/// Whether a colour lies outside of three others by more than the tolerance, in any of its parts.
static inline int is_beyond(uint32_t pixel, uint32_t above, uint32_t here, uint32_t below, int tolerance) {
  int beyond = 0;
  for (unsigned bits = 0; bits < 24; bits += 8) {
    const int a = above >> bits & 255, b = here >> bits & 255, c = below >> bits & 255, value = pixel >> bits & 255;
    const int low = a < b ? (a < c ? a : c) : (b < c ? b : c);
    const int high = a > b ? (a > c ? a : c) : (b > c ? b : c);
    beyond |= (value < low - tolerance) | (value > high + tolerance);
  }
  return beyond;
}

static int is_unlike(
    const uint32_t *left, const uint32_t *right, size_t width, size_t height, size_t x, size_t y, size_t edge,
    int tolerance) {
  const size_t columns = smaller(edge, width - x), rows = smaller(edge, height - y);
  const size_t few = columns * rows / 256;
  size_t beyond = 0;
  for (size_t row = y; row < y + rows; row++) {
    const uint32_t *here = left + row * width + x, *taken = right + row * width + x;
    if (memcmp(here, taken, columns * sizeof *here) == 0) continue;
    const uint32_t *above = row > 0 ? here - width : here, *below = row + 1 < height ? here + width : here;
    for (size_t column = 0; column < columns; column++) {
      beyond += (size_t)is_beyond(taken[column], above[column], here[column], below[column], tolerance);
    }
    if (beyond > few) return 1;
  }
  return 0;
}

size_t am_pixels_unlike_tiles(
    const uint32_t *left, const uint32_t *right, size_t width, size_t height, size_t edge, int tolerance,
    uint8_t *unlike) {
  size_t count = 0;
  for (size_t y = 0; y < height; y += edge) {
    for (size_t x = 0; x < width; x += edge) {
      const int is = is_unlike(left, right, width, height, x, y, edge, tolerance);
      *unlike++ = (uint8_t)is;
      count += (size_t)is;
    }
  }
  return count;
}

void am_pixels_copy_tiles(
    const uint32_t *source, uint32_t *target, size_t width, size_t height, size_t edge, const uint8_t *marks) {
  for (size_t y = 0; y < height; y += edge) {
    for (size_t x = 0; x < width; x += edge) {
      if (!*marks++) continue;
      am_pixels_copy(source, target, width, x, y, smaller(edge, width - x), smaller(edge, height - y), x, y);
    }
  }
}
