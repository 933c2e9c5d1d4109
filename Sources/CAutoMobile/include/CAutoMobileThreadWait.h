// Whether a thread that came late had to wait for a core, or stood still with its whole process.
#ifndef C_AUTOMOBILE_THREAD_WAIT_H
#define C_AUTOMOBILE_THREAD_WAIT_H

#include <stdint.h>

/// For how long the calling thread has been ready to run without a core to run on, in nanoseconds since it began. A thread that is
/// stopped is not ready. Three calls of the system, no lock, no allocation.
///
/// - Returns: negative where the system does not say.
int64_t am_thread_waited(void);

/// How much time of cores the process has had, in nanoseconds; negative when that is not known. Stands still while it is stopped.
int64_t am_process_ran(void);

/// Reads a text such as Linux has in `/proc/thread-self/schedstat`; negative when it is none.
int64_t am_schedstat_waited(const char *_Nonnull text);

#endif
