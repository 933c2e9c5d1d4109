// Which threads do the SDK's own work right now, so that a crash can be told from one of the app's.
#ifndef C_AUTOMOBILE_OWN_WORK_H
#define C_AUTOMOBILE_OWN_WORK_H

#include <stdbool.h>
#include <stdint.h>

/// From here on the calling thread does the SDK's work: a fault on it is the SDK's, also where code of the app's that the SDK has
/// called calls the SDK. Neither waits nor allocates.
///
/// - Returns: what `am_own_work_end` takes; negative when the thread is marked already, or there is no room.
int32_t am_own_work_begin(void);
void am_own_work_end(int32_t mark);

/// In the middle of that work, code of the app's is called: a fault is the app's until the return from it.
///
/// - Returns: what `am_own_work_resume` takes; negative when the thread did no work of the SDK's.
int32_t am_own_work_pause(void);
void am_own_work_resume(int32_t mark);

/// Async-signal-safe.
bool am_own_work_is_done_by(uint64_t thread);

#endif
