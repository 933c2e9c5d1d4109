// Counts the heap allocations of the calling thread, for tests that assert that there are none.
#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process can count: on Linux with glibc, without a sanitizer (those bring a heap of their own).
bool allocation_counter_available(void);

/// How often this thread has called malloc, calloc, realloc or one of the aligned kinds.
uint64_t allocation_counter_thread_count(void);

#endif
