// Writing stacks into the lane. Async-signal-safe; called by the one thread that reports.
#ifndef CRASH_THREADS_H
#define CRASH_THREADS_H

#include "CAutoMobileCrashLane.h"

/// A thread whose own signal handler gave us its context.
struct am_known_thread {
  am_thread_id id;
  const void *_Nullable context;
};

enum { AM_KNOWN_THREADS = 64 };

/// Writes one thread, the one that crashed.
void am_crash_write_thread(am_thread_id thread, uint32_t flags, const struct am_registers *_Nonnull registers);

/// Writes all threads but this one and `crashed`: each gets a little time to stand still, all together not much. They stay
/// as they are until am_crash_release_threads.
///
/// - Parameter known: AM_KNOWN_THREADS places for threads that crashed, too, and wait; those with id 0 are empty.
void am_crash_write_other_threads(am_thread_id crashed, const struct am_known_thread *_Nonnull known);

/// Lets go what the writing stopped, also when it was cut short.
void am_crash_release_threads(void);

#endif
