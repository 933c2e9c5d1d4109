#ifndef MAPPING_GUARD_H
#define MAPPING_GUARD_H

#include <stdbool.h>

/// Mends a fault in one of our own mappings; false when the address is somebody else's. Async-signal-safe.
bool am_guard_mend(const void *_Nullable address);

#endif
