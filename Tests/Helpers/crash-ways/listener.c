#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "CrashWays.h"

// A thread that reports another one's crash and dies of that itself, as the listener of MachExceptions.c can: there the kernel
// holds the thread that crashed, here it waits. The functions are those of Sources/CAutoMobile/Crash/CrashHandler.h.
extern bool am_crash_begin(void);
extern bool am_crash_write_guarded(void (*write)(const void *), const void *argument);
extern void am_crash_release_threads(void);
extern void am_crash_end_fault(uint64_t thread);
extern uint64_t am_thread_current(void);
extern void am_lane_text(uint32_t tag, const char *text);

static uint64_t crashed;

static void write_and_die(const void *tag) {
  am_lane_text(*(const uint32_t *)tag, "The listener was here.");
  die_of_null_pointer();
}

static void *listen(void *tag) {
  if (!am_crash_begin()) _exit(70);
  if (am_crash_write_guarded(write_and_die, tag)) _exit(71);
  am_crash_release_threads();
  am_crash_end_fault(crashed);
  return NULL;
}

void die_reported_by_a_dying_listener(uint32_t note) {
  pthread_t listener;
  crashed = am_thread_current();
  pthread_create(&listener, NULL, listen, &note);
  pthread_join(listener, NULL);
  die_of_null_pointer();
}
