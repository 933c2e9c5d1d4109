#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashException.h"

#include <string.h>

#include "../Memory/CheckedMemory.h"
#include "CrashHandler.h"
#include "CrashLane.h"
#include "../Images/CrashModules.h"
#include "CrashThreads.h"
#include "CrashVerdict.h"

enum { ADDRESSES = 512, TYPE = 1024 };

static void write_exception(const struct am_exception *exception, am_thread_id thread) {
  uint32_t count = exception->address_count < ADDRESSES ? exception->address_count : ADDRESSES;
  size_t fixed = sizeof(struct am_lane_exception) + count * sizeof(uint64_t);
  uint8_t *target = am_lane_begin(fixed + TYPE);
  if (!target) return;
  struct am_lane_exception head = {.language = exception->language, .thread = thread};
  head.time = am_wall_now();
  head.address_count = count;
  if (count) memcpy(target + sizeof head, exception->addresses, count * sizeof(uint64_t));
  uint64_t name = (uint64_t)(uintptr_t)exception->type;
  while (head.type_length < TYPE && am_memory_read(name + head.type_length, target + fixed + head.type_length, 1) == 1) {
    if (target[fixed + head.type_length] == 0) break;
    head.type_length++;
  }
  memcpy(target, &head, sizeof head);
  am_lane_end(AM_SECTION_EXCEPTION, fixed + head.type_length);
}

bool am_exception_begin(const struct am_exception *exception, const struct am_registers *registers) {
  static const struct am_known_thread nobody[AM_KNOWN_THREADS];
  am_thread_id thread = am_thread_current();
  if (!am_crash_begin()) return false;
  am_crash_note_verdict(thread);
  write_exception(exception, thread);
  am_lane_note_screen();
  am_crash_write_thread(thread, AM_THREAD_CRASHED, registers);
  am_crash_stage(AM_LANE_CRASHED_THREAD);
  am_crash_write_other_threads(thread, nobody);
  am_modules_write_unknown();
  am_crash_stage(AM_LANE_ALL_THREADS);
  // What comes next is code of the app's, which may want its threads.
  am_crash_release_threads();
  return true;
}

void am_exception_end(const char *reason) {
  if (reason) am_lane_text(AM_SECTION_REASON, reason);
  am_crash_stage(AM_LANE_COMPLETE);
  am_crash_end_exception(am_thread_current());
  // Where no signal is handled, nothing of ours is called any more.
  if (am_crash_is_awaited()) am_crash_await();
}

void am_crash_record_exception(
    uint32_t language, const char *type, const char *reason, const uint64_t *addresses, uint32_t count) {
  struct am_exception exception = {language, type, addresses, count};
  struct am_registers registers;
  am_registers_of_caller(&registers, __builtin_frame_address(0));
  if (am_exception_begin(&exception, &registers)) am_exception_end(reason);
}
