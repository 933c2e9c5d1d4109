#if defined(__APPLE__)
#include "CrashModulesMach.h"

#include <stdint.h>

#include "../Memory/CheckedMemory.h"
#include "../Crash/CrashLane.h"
#include "CrashModules.h"

/// What the system's crash reporter looks for in each image: Swift's runtime and the C library leave their messages there.
struct last_words {
  uint64_t version;
  uint64_t message;
  uint64_t signature;
  uint64_t backtrace;
  uint64_t second_message;
};

enum { SECTIONS = 64 };
static const void *sections[SECTIONS];

void am_modules_prepare(void) {}

void am_modules_add_last_words(const void *section, size_t length) {
  if (length < sizeof(struct last_words)) return;
  for (int index = 0; index < SECTIONS; index++) {
    const void *nothing = NULL;
    if (__atomic_load_n(&sections[index], __ATOMIC_ACQUIRE) == section) return;
    if (__atomic_compare_exchange_n(
            &sections[index], &nothing, section, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      return;
    }
  }
}

void am_modules_write_message(void) {
  for (int index = 0; index < SECTIONS; index++) {
    struct last_words words;
    uint64_t section = (uint64_t)(uintptr_t)__atomic_load_n(&sections[index], __ATOMIC_ACQUIRE);
    if (!section || am_memory_read(section, &words, sizeof words) != sizeof words) continue;
    if (words.message) am_lane_text(AM_SECTION_MESSAGE, (const char *)(uintptr_t)words.message);
    if (words.second_message) am_lane_text(AM_SECTION_MESSAGE, (const char *)(uintptr_t)words.second_message);
  }
}

void am_modules_write_unknown(void) {}

#endif
