// How much of the heap is in use.
#ifndef HEAP_STATISTICS_H
#define HEAP_STATISTICS_H

#include <stdint.h>

/// Bytes that were allocated and not freed, in the whole process; 0 where nobody can tell: without glibc, or with a
/// sanitizer's heap.
uint64_t heap_live_bytes(void);

#endif
