// What a crash handler says to the next launch's first look: whose crash it was, and how soon it came.
#ifndef C_AUTOMOBILE_CRASH_VERDICT_H
#define C_AUTOMOBILE_CRASH_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

enum {
  AM_CRASH_OF_NOBODY = 0,
  /// The app's.
  AM_CRASH_OF_APP = 1,
  /// On a thread that did the SDK's work.
  AM_CRASH_OF_SDK = 2,
};

/// Twenty bytes in a small file that the next launch reads on the thread that initializes.
struct am_crash_verdict {
  uint32_t whose;
  int32_t pid;
  /// From the beginning of the SDK's start to the crash, in milliseconds.
  uint32_t after;
  uint32_t reserved;
  /// CRC-32C of the bytes before.
  uint32_t checksum;
};
_Static_assert(sizeof(struct am_crash_verdict) == 20, "");

/// Says where a crash from here on is noted; the SDK's start begins now. Nil: nowhere. One thread at a time.
void am_crash_set_verdict_file(const char *_Nullable path, int64_t offset);

/// A report of an earlier crash is about to be delivered: a process that crashes meanwhile waits for that, two seconds at most in
/// all, before it dies. Any thread.
void am_crash_set_awaited(bool is_awaited);

#endif
