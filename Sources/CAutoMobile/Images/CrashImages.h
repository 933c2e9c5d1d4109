// The images of the process, in the lane, so that the handler need not ask the loader.
#ifndef CRASH_IMAGES_H
#define CRASH_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A lane is going to be made: am_crash_images_refresh notes all images in it.
void am_images_prepare(void);

/// Notes the program itself where the handler cannot find it. Async-signal-safe, after am_images_prepare.
void am_images_note_program(void);

/// An image to note.
struct am_image {
  uint64_t base;
  uint64_t size;
  uint64_t slide;
  const uint8_t *_Nullable id;
  size_t id_length;
  const char *_Nonnull path;
  bool is_executable;
};

/// Begins to note all images; those that are not named until am_images_end are unloaded.
void am_images_begin(void);
void am_images_add(const struct am_image *_Nonnull image);
void am_images_end(void);

/// One image more, or one less.
void am_images_remove(uint64_t base);

/// Whether an address lies in an image that the lane names. Async-signal-safe.
bool am_images_contain(uint64_t address);

#endif
