#include "CrashImages.h"

#include <string.h>

#include "../Crash/CrashLane.h"

// One thread at a time writes: whoever holds the lock in CrashImagesLoader.c. The handler only reads.

/// Bit n: the n-th image of the area has been named since am_images_begin.
static uint8_t named[AM_LANE_IMAGES_SIZE / sizeof(struct am_lane_image) / 8 + 1];

static struct am_lane_image *next_image(uint64_t *offset) {
  struct am_lane_header *lane = am_lane();
  uint64_t end = __atomic_load_n(&lane->image_end, __ATOMIC_ACQUIRE);
  if (end > AM_LANE_IMAGES_SIZE || *offset + sizeof(struct am_lane_image) > end) return NULL;
  struct am_lane_image *image = (struct am_lane_image *)((uint8_t *)lane + AM_LANE_IMAGES + *offset);
  // Nobody but us writes it; but a length of zero would be a loop.
  if (image->length < sizeof *image) return NULL;
  *offset += image->length;
  return image;
}

static const char *path_of(const struct am_lane_image *image) { return (const char *)(image + 1); }

static void fill(struct am_lane_image *target, const struct am_image *image, uint32_t length, size_t path_length) {
  target->length = length;
  target->base = image->base;
  target->size = image->size;
  target->slide = image->slide;
  target->id_length = (uint8_t)(image->id_length < sizeof target->id ? image->id_length : sizeof target->id);
  if (image->id) memcpy(target->id, image->id, target->id_length);
  target->is_executable = image->is_executable;
  target->path_length = (uint16_t)path_length;
  memcpy(target + 1, image->path, path_length);
  __atomic_store_n(&target->state, AM_IMAGE_LOADED, __ATOMIC_RELEASE);
}

void am_images_begin(void) { memset(named, 0, sizeof named); }

void am_images_add(const struct am_image *image) {
  struct am_lane_header *lane = am_lane();
  size_t path_length = strnlen(image->path, 1024);
  uint32_t length = (uint32_t)((sizeof(struct am_lane_image) + path_length + 7) & ~(size_t)7);
  uint64_t offset = 0;
  unsigned index = 0;
  unsigned free_index = 0;
  struct am_lane_image *entry, *free_entry = NULL;
  for (; (entry = next_image(&offset)); index++) {
    if (entry->state == AM_IMAGE_LOADED) {
      if (entry->base != image->base || entry->path_length != path_length) continue;
      if (memcmp(path_of(entry), image->path, path_length) != 0) continue;
      named[index / 8] |= (uint8_t)(1 << index % 8);
      return;
    }
    if (entry->length == length && (!free_entry || entry->base == image->base)) {
      free_entry = entry;
      free_index = index;
    }
  }
  if (free_entry && (free_entry->base == image->base || lane->image_end + length > AM_LANE_IMAGES_SIZE)) {
    __atomic_store_n(&free_entry->state, 0, __ATOMIC_RELEASE);
    fill(free_entry, image, length, path_length);
    named[free_index / 8] |= (uint8_t)(1 << free_index % 8);
    return;
  }
  if (lane->image_end + length > AM_LANE_IMAGES_SIZE) {
    lane->images_lost++;
    return;
  }
  fill((struct am_lane_image *)((uint8_t *)lane + AM_LANE_IMAGES + lane->image_end), image, length, path_length);
  named[index / 8] |= (uint8_t)(1 << index % 8);
  __atomic_store_n(&lane->image_end, lane->image_end + length, __ATOMIC_RELEASE);
}

void am_images_end(void) {
  uint64_t offset = 0;
  struct am_lane_image *entry;
  for (unsigned index = 0; (entry = next_image(&offset)); index++) {
    if (entry->state == AM_IMAGE_LOADED && !(named[index / 8] >> index % 8 & 1)) {
      __atomic_store_n(&entry->state, AM_IMAGE_UNLOADED, __ATOMIC_RELEASE);
    }
  }
}

void am_images_remove(uint64_t base) {
  uint64_t offset = 0;
  for (struct am_lane_image *entry; (entry = next_image(&offset));) {
    if (entry->state == AM_IMAGE_LOADED && entry->base == base) {
      __atomic_store_n(&entry->state, AM_IMAGE_UNLOADED, __ATOMIC_RELEASE);
    }
  }
}

bool am_images_contain(uint64_t address) {
  uint64_t offset = 0;
  for (struct am_lane_image *entry; (entry = next_image(&offset));) {
    if (entry->state == AM_IMAGE_LOADED && address >= entry->base && address - entry->base < entry->size) return true;
  }
  return false;
}
