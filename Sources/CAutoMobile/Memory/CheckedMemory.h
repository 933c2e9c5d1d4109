// Reading memory that may not be there.
#ifndef CHECKED_MEMORY_H
#define CHECKED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/// Makes ready what reading needs where the system forbids the direct way. Not in a signal handler.
void am_memory_prepare(void);

/// Copies from an address of this process; never faults. Async-signal-safe.
///
/// - Returns: how many bytes could be read before the first that is not readable.
size_t am_memory_read(uint64_t address, void *_Nonnull target, size_t length);

#endif
