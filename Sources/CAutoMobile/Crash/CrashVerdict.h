// Async-signal-safe, and called by the report's one author.
#ifndef CRASH_VERDICT_H
#define CRASH_VERDICT_H

#include "CAutoMobileCrashVerdict.h"
#include "CAutoMobileStack.h"

/// Notes whose crash it is that `thread` has died of.
void am_crash_note_verdict(am_thread_id thread);

/// The process has survived it.
void am_crash_withdraw_verdict(void);

/// Whether a process that dies now has something to wait for.
bool am_crash_is_awaited(void);

/// Waits for it; the other threads have to run.
void am_crash_await(void);

#endif
