// The wall clock. The SDK reads it here only, in Swift and in C, also while it crashes.
#ifndef C_AUTOMOBILE_CLOCK_H
#define C_AUTOMOBILE_CLOCK_H

#include <stdint.h>
#include <time.h>

/// Milliseconds since 1970; 0 when the clock cannot be read. May jump either way. Async-signal-safe.
static inline int64_t am_wall_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
