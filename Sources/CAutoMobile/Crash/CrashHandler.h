// The report's one author. Everything here is async-signal-safe.
#ifndef CRASH_HANDLER_H
#define CRASH_HANDLER_H

#include <signal.h>
#include <stdbool.h>

#include "CAutoMobileStack.h"

/// What installs itself for signals.
void am_crash_on_signal(int number, siginfo_t *_Nullable info, void *_Nullable context);

/// Makes the calling thread the author of a report, of its own crash or another thread's, unless somebody is; also false where
/// there is no lane of this process.
bool am_crash_begin(void);

/// Writes a part of that report, up to a fault of its own; then false. What was written before the fault stays, with a note of it.
bool am_crash_write_guarded(void (*_Nonnull write)(const void *_Nullable), const void *_Nullable argument);

/// Ends what am_crash_begin began. The signal that follows on `thread` adds itself. After an exception nothing but the
/// end can follow; of a fault, a handler of the app's may still take care.
void am_crash_end_exception(am_thread_id thread);
void am_crash_end_fault(am_thread_id thread);

void am_crash_stage(uint32_t stage);

#endif
