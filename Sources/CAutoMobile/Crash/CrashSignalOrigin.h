// Whether a signal was sent by somebody, or raised by an instruction. Async-signal-safe.
#ifndef CRASH_SIGNAL_ORIGIN_H
#define CRASH_SIGNAL_ORIGIN_H

#include <signal.h>
#include <stdbool.h>

/// Whether somebody sent the signal, and no instruction raised it.
///
/// - Parameter context: what the handler was given.
bool am_signal_was_sent(int number, const siginfo_t *_Nullable info, const void *_Nullable context);

#endif
