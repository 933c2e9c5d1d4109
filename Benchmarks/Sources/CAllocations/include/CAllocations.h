#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process can count: on Linux with glibc.
bool allocations_available(void);

/// How often the calling thread has called malloc, calloc, realloc or one of the aligned kinds.
uint64_t allocations_of_thread(void);

/// From here on the calls of all threads are counted together, which costs each of them a locked instruction.
void allocations_count_all(void);

/// How often all threads have called them since then.
uint64_t allocations_of_all(void);

#endif
