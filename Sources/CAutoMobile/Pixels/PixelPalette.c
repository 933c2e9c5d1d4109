#include "CAutoMobilePixels.h"

#include <string.h>

/// Slots of the table of colours: a power of two, four times what is told apart.
enum { slot_bits = 13, slots = 1 << slot_bits, most_colours = slots / 4 };

struct colours {
  /// The number of a colour and one; 0 where there is none.
  uint16_t table[slots];
  uint32_t colour[most_colours];
  uint32_t count[most_colours];
  /// How far it is from the nearest of the palette, squared, and which that is.
  uint32_t distance[most_colours];
  uint8_t nearest[most_colours];
  size_t size;
};

size_t am_pixels_palette_memory(void) { return sizeof(struct colours); }

static size_t slot_of(const struct colours *colours, uint32_t colour) {
  size_t slot = (colour * 0x9E3779B1u) >> (32 - slot_bits);
  while (colours->table[slot] != 0 && colours->colour[colours->table[slot] - 1] != colour) slot = (slot + 1) & (slots - 1);
  return slot;
}

/// Whether pixels here and there already have so many colours that it must be a photograph.
static int is_colourful(struct colours *colours, const uint32_t *pixels, size_t count) {
  const size_t samples = 256;
  if (count < samples * 8) return 0;
  // An odd step falls on the columns of letters and lists as they come.
  const size_t step = (count / samples - 1) | 1;
  size_t different = 0;
  for (size_t i = 0; i < samples; i++) {
    const uint32_t colour = pixels[step * i] & 0xFFFFFF;
    const size_t slot = slot_of(colours, colour);
    if (colours->table[slot] != 0) continue;
    colours->colour[different] = colour;
    colours->table[slot] = (uint16_t)++different;
  }
  memset(colours->table, 0, sizeof colours->table);
  return different > samples / 4;
}

/// Counts the colours; 0 when they are too many.
static int count_colours(struct colours *colours, const uint32_t *pixels, size_t count) {
  memset(colours->table, 0, sizeof colours->table);
  if (is_colourful(colours, pixels, count)) return 0;
  colours->size = 0;
  for (size_t i = 0; i < count;) {
    const uint32_t colour = pixels[i] & 0xFFFFFF;
    const size_t first = i;
    // Screens are mostly runs of one colour.
    while (i < count && (pixels[i] & 0xFFFFFF) == colour) i++;
    const size_t slot = slot_of(colours, colour);
    if (colours->table[slot] == 0) {
      if (colours->size == most_colours) return 0;
      colours->colour[colours->size] = colour;
      colours->count[colours->size] = 0;
      colours->table[slot] = (uint16_t)++colours->size;
    }
    colours->count[colours->table[slot] - 1] += (uint32_t)(i - first);
  }
  return 1;
}

static uint32_t distance_of(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (unsigned bits = 0; bits < 24; bits += 8) {
    const int difference = (int)(a >> bits & 255) - (int)(b >> bits & 255);
    sum += (uint32_t)(difference * difference);
  }
  return sum;
}

size_t am_pixels_palette(
    const uint32_t *pixels, size_t count, size_t most, uint64_t tolerance, uint32_t *palette, void *memory) {
  struct colours *colours = memory;
  if (count == 0 || !count_colours(colours, pixels, count)) return 0;
  // First what occurs most.
  size_t worst = 0;
  for (size_t i = 0; i < colours->size; i++) {
    colours->distance[i] = UINT32_MAX;
    if (colours->count[i] > colours->count[worst]) worst = i;
  }
  for (size_t size = 0; size < most; size++) {
    const uint32_t added = palette[size] = colours->colour[worst];
    // Then what is shown worst, by how wrong it is and how often it occurs.
    uint64_t sum = 0, most_wrong = 0;
    for (size_t i = 0; i < colours->size; i++) {
      const uint32_t distance = distance_of(colours->colour[i], added);
      if (distance < colours->distance[i]) {
        colours->distance[i] = distance;
        colours->nearest[i] = (uint8_t)size;
      }
      const uint64_t wrong = (uint64_t)colours->distance[i] * colours->count[i];
      sum += wrong;
      if (wrong > most_wrong) {
        most_wrong = wrong;
        worst = i;
      }
    }
    if (sum <= tolerance) return size + 1;
    // What is so far off after a few will not be near after some more.
    if (size == 15 && colours->size > most && sum / 8 > tolerance) return 0;
  }
  return 0;
}

void am_pixels_index(
    const uint32_t *pixels, size_t width, size_t height, size_t bits, uint8_t *rows, const void *memory) {
  const struct colours *colours = memory;
  for (size_t y = 0; y < height; y++) {
    *rows++ = 0;
    uint32_t last = 0xFFFFFFFF;
    unsigned number = 0, byte = 0, used = 0;
    for (size_t x = 0; x < width; x++) {
      const uint32_t colour = pixels[y * width + x] & 0xFFFFFF;
      if (colour != last) {
        last = colour;
        number = colours->nearest[colours->table[slot_of(colours, colour)] - 1];
      }
      byte = byte << bits | number;
      used += (unsigned)bits;
      if (used < 8) continue;
      *rows++ = (uint8_t)byte;
      byte = used = 0;
    }
    if (used > 0) *rows++ = (uint8_t)(byte << (8 - used));
  }
}

void am_pixels_tile_hashes(
    const uint32_t *pixels, size_t width, size_t height, size_t edge, const uint8_t *marks, uint64_t *hashes) {
  const uint64_t factor = 0x9E3779B97F4A7C15u;
  for (size_t y = 0; y < height; y += edge) {
    for (size_t x = 0; x < width; x += edge, hashes++) {
      if (marks != NULL && !*marks++) continue;
      const size_t columns = edge < width - x ? edge : width - x, rows = edge < height - y ? edge : height - y;
      // One that sticks out of the picture is no other's likeness, whatever is in it.
      uint64_t sums[4] = {1, 2, columns, rows};
      for (size_t row = y; row < y + rows; row++) {
        const uint32_t *line = pixels + row * width + x;
        size_t column = 0;
        for (; column + 4 <= columns; column += 4) {
          for (size_t i = 0; i < 4; i++) {
            sums[i] = (sums[i] ^ line[column + i]) * factor;
            sums[i] ^= sums[i] >> 29;
          }
        }
        for (; column < columns; column++) sums[0] = (sums[0] ^ line[column]) * factor;
      }
      uint64_t hash = sums[0];
      for (size_t i = 1; i < 4; i++) hash = ((hash << 23 | hash >> 41) ^ sums[i]) * factor;
      *hashes = hash ^ hash >> 32;
    }
  }
}
