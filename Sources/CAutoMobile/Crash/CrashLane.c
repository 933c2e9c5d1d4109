#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashLane.h"

#include <string.h>

#include "../Memory/CheckedMemory.h"
#include "../Stacks/ThreadStop.h"

void am_crash_lane_touch(void) {
  struct am_lane_header *header = am_lane();
  if (!am_lane_is_open()) return;
  uint8_t *bytes = (uint8_t *)header;
  // Adds nothing, atomically: the handler may be writing there.
  for (size_t at = 0; at < AM_LANE_SIZE; at += 4096) {
    __atomic_fetch_add((uint64_t *)(bytes + at), 0, __ATOMIC_RELAXED);
  }
}

void am_crash_set_screen(const char *screen) {
  struct am_lane_header *header = am_lane();
  if (!am_lane_is_open()) return;
  uint32_t next = header->screen == 1 ? 2 : 1;
  if (screen) {
    char *name = header->screens[next - 1];
    strncpy(name, screen, sizeof header->screens[0] - 1);
    name[sizeof header->screens[0] - 1] = 0;
  }
  __atomic_store_n(&header->screen, screen ? next : 0, __ATOMIC_RELEASE);
}

static const uint64_t *navigated;
void am_crash_set_navigated(const uint64_t *words) { __atomic_store_n(&navigated, words, __ATOMIC_RELEASE); }

void am_lane_note_screen(void) {
  struct am_lane_header *header = am_lane();
  uint64_t words = (uint64_t)(uintptr_t)__atomic_load_n(&navigated, __ATOMIC_ACQUIRE), length = 0;
  if (header->screen != 0 || words == 0 || am_memory_read(words, &length, 8) != 8 || length == 0) return;
  if (length >= sizeof header->screens[0]) length = sizeof header->screens[0] - 1;
  if (am_memory_read(words + 8, header->screens[0], (size_t)length) != length) return;
  header->screens[0][length] = 0;
  __atomic_store_n(&header->screen, 1, __ATOMIC_RELEASE);
}

// MARK: The report

void am_lane_clear(void) {
  am_lane_set_stage(AM_LANE_IDLE);
  __atomic_store_n(&am_lane()->report_end, 0, __ATOMIC_RELEASE);
}

void am_lane_set_stage(uint32_t stage) {
  struct am_lane_header *header = am_lane();
  if (stage >= AM_LANE_ENTERED && stage <= AM_LANE_COMPLETE) {
    header->stage_times[stage - AM_LANE_ENTERED] = am_monotonic_now();
  }
  __atomic_store_n(&header->stage, stage, __ATOMIC_RELEASE);
}

static uint64_t end_of_report(void) {
  uint64_t end = am_lane()->report_end;
  return end <= AM_LANE_REPORT_SIZE ? end : AM_LANE_REPORT_SIZE;
}

size_t am_lane_room(void) {
  size_t rest = AM_LANE_REPORT_SIZE - (size_t)end_of_report();
  return rest > sizeof(struct am_lane_section) + 8 ? rest - sizeof(struct am_lane_section) - 8 : 0;
}

uint8_t *am_lane_begin(size_t length) {
  if (length > am_lane_room()) return NULL;
  return (uint8_t *)am_lane() + AM_LANE_REPORT + end_of_report() + sizeof(struct am_lane_section);
}

void am_lane_end(uint32_t tag, size_t length) {
  uint64_t end = end_of_report();
  struct am_lane_section section = {tag, (uint32_t)length};
  memcpy((uint8_t *)am_lane() + AM_LANE_REPORT + end, &section, sizeof section);
  uint64_t next = end + sizeof section + ((length + 7) & ~(size_t)7);
  __atomic_store_n(&am_lane()->report_end, next, __ATOMIC_RELEASE);
}

void am_lane_text(uint32_t tag, const char *text) {
  size_t length = 0, most = am_lane_room();
  if (most > 2048) most = 2048;
  uint8_t *target = am_lane_begin(most);
  if (!target) return;
  // The text may be anywhere, also where nothing is.
  char byte;
  while (length < most && am_memory_read((uint64_t)(uintptr_t)(text + length), &byte, 1) == 1 && byte) {
    target[length++] = (uint8_t)byte;
  }
  am_lane_end(tag, length);
}

// MARK: Text

void am_text_add(struct am_text *text, const char *more) {
  while (*more && text->length < sizeof text->bytes - 1) text->bytes[text->length++] = *more++;
  text->bytes[text->length] = 0;
}

static void add_digits(struct am_text *text, uint64_t number, unsigned base) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number);
  while (count) {
    char digit[2] = {digits[--count], 0};
    am_text_add(text, digit);
  }
}

void am_text_add_number(struct am_text *text, int64_t number) {
  if (number < 0) am_text_add(text, "-");
  add_digits(text, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, 10);
}

void am_text_add_hex(struct am_text *text, uint64_t number) {
  am_text_add(text, "0x");
  add_digits(text, number, 16);
}
