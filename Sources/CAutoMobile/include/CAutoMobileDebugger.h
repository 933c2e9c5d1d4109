// Whether a debugger holds this process.
#ifndef C_AUTOMOBILE_DEBUGGER_H
#define C_AUTOMOBILE_DEBUGGER_H

#include <stdbool.h>

/// Asks the system: a call or three, without a lock or an allocation.
bool am_is_debugged(void);

/// Whether a text such as Linux has in `/proc/self/status` names a process that traces this one.
bool am_status_is_traced(const char *_Nonnull status);

#endif
