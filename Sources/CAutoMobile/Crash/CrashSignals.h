// Which signals are ours, and whose they were before.
#ifndef CRASH_SIGNALS_H
#define CRASH_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/// Whether signals are to be reported now; a handler that was left installed only passes on.
bool am_signals_are_enabled(void);

/// Whether the app had chosen to ignore the signal.
bool am_signal_was_ignored(int number);

/// Whether a handler of the app's comes next.
bool am_signal_has_handler(int number);

/// Whether the signal still comes to us.
bool am_signal_is_ours(int number);

/// Does what would have happened without us: calls the handler that was there before, or leaves the signal to the system,
/// which then ends the process when this handler returns. True when a handler was called and has returned.
bool am_signal_pass_on(int number, siginfo_t *_Nullable info, void *_Nullable context);

#endif
