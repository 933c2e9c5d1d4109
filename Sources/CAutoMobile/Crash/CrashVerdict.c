#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashVerdict.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CAutoMobileCRC32C.h"
#include "CAutoMobileOwnWork.h"
#include "../Stacks/ThreadStop.h"

static char path[1024];
static int64_t offset;
/// Of the process that said where; the child of a fork has nothing to say.
static int32_t owner;
static uint64_t begun;
/// What was noted last.
static uint32_t noted;

static uint32_t awaited;
/// When nothing is waited for any more, on the monotonic clock; 0: nobody has begun to.
static uint64_t patience;
static const uint64_t longest_wait = 2000000000;

void am_crash_set_verdict_file(const char *next, int64_t place) {
  __atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
  if (!next || strlen(next) >= sizeof path) return;
  strcpy(path, next);
  offset = place;
  begun = am_monotonic_now();
  __atomic_store_n(&owner, getpid(), __ATOMIC_RELEASE);
}

// Opened anew, as an open file may have been closed by whoever closes all, and its number be somebody else's by now.
static void write_verdict(uint32_t whose) {
  noted = whose;
  if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) != getpid()) return;
  uint64_t after = (am_monotonic_now() - begun) / 1000000;
  struct am_crash_verdict verdict = {
      .whose = whose, .pid = getpid(), .after = after < UINT32_MAX ? (uint32_t)after : UINT32_MAX};
  verdict.checksum = am_crc32c(0, &verdict, offsetof(struct am_crash_verdict, checksum));
  int file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  ssize_t ignored = pwrite(file, &verdict, sizeof verdict, offset);
  (void)ignored;
  close(file);
}

void am_crash_note_verdict(am_thread_id thread) {
  write_verdict(am_own_work_is_done_by(thread) ? AM_CRASH_OF_SDK : AM_CRASH_OF_APP);
}

void am_crash_withdraw_verdict(void) { write_verdict(AM_CRASH_OF_NOBODY); }

void am_crash_set_awaited(bool is_awaited) { __atomic_store_n(&awaited, is_awaited, __ATOMIC_RELEASE); }

// What has died of the SDK may have died of the very thing that would be waited for.
bool am_crash_is_awaited(void) {
  return __atomic_load_n(&awaited, __ATOMIC_ACQUIRE) != 0 && noted != AM_CRASH_OF_SDK &&
         __atomic_load_n(&owner, __ATOMIC_ACQUIRE) == getpid();
}

void am_crash_await(void) {
  const struct timespec pause = {0, 1000000};
  if (patience == 0) patience = am_monotonic_now() + longest_wait;
  while (am_crash_is_awaited() && am_monotonic_now() < patience) nanosleep(&pause, NULL);
}
