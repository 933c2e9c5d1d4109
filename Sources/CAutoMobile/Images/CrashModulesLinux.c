#if defined(__linux__)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../Memory/CheckedMemory.h"
#include "CrashImages.h"
#include "../Crash/CrashLane.h"
#include "CrashModules.h"

/// What glibc keeps for those who look at a core dump: a length and a text.
static void *const *abort_message;

void am_modules_prepare(void) {
  if (!abort_message) abort_message = dlsym(RTLD_DEFAULT, "__abort_msg");
}

void am_modules_write_message(void) {
  uint64_t message = 0;
  if (!abort_message || am_memory_read((uint64_t)(uintptr_t)abort_message, &message, 8) != 8 || message == 0) return;
  am_lane_text(AM_SECTION_MESSAGE, (const char *)(uintptr_t)(message + 4));
}

// MARK: /proc/self/maps

static uint64_t hex(const char **text) {
  uint64_t number = 0;
  for (; (**text >= '0' && **text <= '9') || (**text >= 'a' && **text <= 'f'); (*text)++) {
    number = number << 4 | (uint64_t)(**text <= '9' ? **text - '0' : **text - 'a' + 10);
  }
  return number;
}

static void write_image(uint64_t base, uint64_t end, const char *path, size_t length) {
  size_t size = (sizeof(struct am_lane_image) + length + 7) & ~(size_t)7;
  struct am_lane_image *image = (struct am_lane_image *)am_lane_begin(size);
  if (!image) return;
  memset(image, 0, size);
  image->state = AM_IMAGE_LOADED;
  image->length = (uint32_t)size;
  image->base = base;
  image->size = end - base;
  // Libraries begin at address 0 of their file.
  image->slide = base;
  image->path_length = (uint16_t)length;
  memcpy(image + 1, path, length);
  am_lane_end(AM_SECTION_IMAGE, size);
}

/// The file whose mappings are being read: they come one after the other.
static struct {
  uint64_t base;
  size_t length;
  char path[1024];
} file;

// 7f0c3f2a1000-7f0c3f2b0000 r-xp 00002000 fe:01 123  /usr/lib/libx.so
static void look_at(const char *line, size_t length) {
  const char *end_of_line = line + length, *p = line;
  uint64_t start = hex(&p);
  p++;
  uint64_t end = hex(&p);
  bool isCode = end_of_line - p > 4 && p[3] == 'x';
  const char *path = memchr(p, '/', (size_t)(end_of_line - p));
  if (!path) return;
  size_t path_length = (size_t)(end_of_line - path);
  if (path_length > sizeof file.path) return;
  if (path_length != file.length || memcmp(path, file.path, path_length) != 0) {
    file.base = start;
    file.length = path_length;
    memcpy(file.path, path, path_length);
  }
  if (isCode && !am_images_contain(start)) write_image(file.base, end, path, path_length);
}

void am_modules_write_unknown(void) {
  static char buffer[4096];
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return;
  file.length = 0;
  size_t filled = 0;
  for (ssize_t got; (got = read(maps, buffer + filled, sizeof buffer - filled)) > 0;) {
    filled += (size_t)got;
    size_t at = 0;
    for (char *end; (end = memchr(buffer + at, '\n', filled - at)); at = (size_t)(end - buffer) + 1) {
      look_at(buffer + at, (size_t)(end - buffer) - at);
    }
    // A line that is longer than the buffer names no library.
    if (at == 0 && filled == sizeof buffer) at = filled;
    memmove(buffer, buffer + at, filled - at);
    filled -= at;
  }
  close(maps);
}

#endif
