// Stopping other threads on Linux, so that their stacks stand still while they are read.
#ifndef THREAD_STOP_H
#define THREAD_STOP_H

#include "CAutoMobileStack.h"

#if defined(__linux__)

enum { AM_STOPS = 256 };

struct am_stop;

/// Makes the signal that stops threads ours; a handler that was there is called for signals that are not meant for us.
/// Async-signal-safe.
bool am_stop_prepare(void);

/// Asks a thread to stop. Nil when there is no such thread, or too many are asked already. Async-signal-safe.
struct am_stop *_Nullable am_stop_ask(am_thread_id thread);

/// Waits until the thread stands still; false when it does not by the deadline, on the monotonic clock.
bool am_stop_wait(struct am_stop *_Nonnull stop, uint64_t deadline);

/// The context that the thread's signal handler was given; valid until it is let go.
const void *_Nonnull am_stop_context(const struct am_stop *_Nonnull stop);

/// Lets the thread go on, whether it has answered or not.
void am_stop_release(struct am_stop *_Nonnull stop);

#endif

/// Nanoseconds of the monotonic clock. Async-signal-safe.
uint64_t am_monotonic_now(void);

#endif
