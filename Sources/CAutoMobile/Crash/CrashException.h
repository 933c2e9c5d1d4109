// The report of an exception that nobody catches. Async-signal-safe, though no signal handler calls it.
#ifndef CRASH_EXCEPTION_H
#define CRASH_EXCEPTION_H

#include "CAutoMobileCrashLane.h"
#include "../Stacks/StackWalk.h"

struct am_exception {
  uint32_t language;
  const char *_Nonnull type;
  const uint64_t *_Nullable addresses;
  uint32_t address_count;
};

/// Writes the exception and the stacks of all threads, this one first. False when somebody else is being reported.
bool am_exception_begin(const struct am_exception *_Nonnull exception, const struct am_registers *_Nonnull registers);

/// Writes the reason, and completes the report. A signal that follows on this thread is added.
void am_exception_end(const char *_Nullable reason);

#endif
