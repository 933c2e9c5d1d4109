#if defined(__APPLE__)
#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "CrashImages.h"
#include "../Crash/CrashLane.h"
#include "CrashModulesMach.h"

// The loader holds its own lock while it calls us: this one is held for the noting only, and never around a call of the
// loader's.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(const struct mach_header *header, const char *path) {
  if (!am_lane_is_open() || header->magic != MH_MAGIC_64) return;
  const struct mach_header_64 *file = (const struct mach_header_64 *)header;
  struct am_image image = {.base = (uint64_t)(uintptr_t)header, .path = path};
  image.is_executable = file->filetype == MH_EXECUTE;
  const uint8_t *next = (const uint8_t *)(file + 1);
  for (uint32_t index = 0; index < file->ncmds; index++) {
    const struct load_command *command = (const struct load_command *)next;
    if (command->cmd == LC_UUID) {
      image.id = ((const struct uuid_command *)next)->uuid;
      image.id_length = 16;
    } else if (command->cmd == LC_SEGMENT_64) {
      const struct segment_command_64 *segment = (const struct segment_command_64 *)next;
      // In the shared cache the other segments lie far away; code is here.
      if (strncmp(segment->segname, SEG_TEXT, sizeof segment->segname) == 0) {
        image.size = segment->vmsize;
        image.slide = image.base - segment->vmaddr;
      }
    }
    next += command->cmdsize;
  }
  unsigned long size = 0;
  const uint8_t *last_words = getsectiondata(file, SEG_DATA, "__crash_info", &size);
  if (last_words) am_modules_add_last_words(last_words, size);
  pthread_mutex_lock(&lock);
  am_images_add(&image);
  pthread_mutex_unlock(&lock);
}

static void on_add(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  Dl_info info;
  const char *path = dladdr(header, &info) != 0 && info.dli_fname ? info.dli_fname : "";
  note(header, path);
}

static void on_remove(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  if (!am_lane_is_open()) return;
  pthread_mutex_lock(&lock);
  am_images_remove((uint64_t)(uintptr_t)header);
  pthread_mutex_unlock(&lock);
}

/// Not 0: the images are to be noted for a new lane.
static uint32_t is_new = 1;

/// The first image. A handler must not ask the loader for it.
static const struct mach_header *program;
static const char *program_path;

void am_images_prepare(void) {
  if (!program && _dyld_image_count() > 0) {
    program_path = _dyld_get_image_name(0);
    program = _dyld_get_image_header(0);
  }
  __atomic_store_n(&is_new, 1, __ATOMIC_RELEASE);
}

void am_images_note_program(void) {
  if (program) note(program, program_path);
}

void am_crash_images_refresh(void) {
  static uint32_t is_registered;
  if (!__atomic_exchange_n(&is_new, 0, __ATOMIC_ACQ_REL)) return;
  if (!__atomic_exchange_n(&is_registered, 1, __ATOMIC_ACQ_REL)) {
    // Calls at once for every image that is loaded, and from now on for each that comes.
    _dyld_register_func_for_add_image(on_add);
    _dyld_register_func_for_remove_image(on_remove);
    return;
  }
  for (uint32_t index = 0; index < _dyld_image_count(); index++) {
    const struct mach_header *header = _dyld_get_image_header(index);
    if (header) on_add(header, 0);
  }
}

#endif
