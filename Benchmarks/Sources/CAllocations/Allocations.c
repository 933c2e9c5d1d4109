#include "CAllocations.h"

#include <errno.h>
#include <stdlib.h>

// As Tests/Helpers/AllocationCounter, which is in another package, and counts threads only.
#if defined(__GLIBC__)

// A program's own malloc comes before the library's, for every library in the process; the library's stays reachable under its
// other name.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The model that needs no allocation of its own at the first touch.
static __thread uint64_t of_thread __attribute__((tls_model("initial-exec")));
static uint64_t of_all;
static bool counts_all;

static inline void count(void) {
  of_thread++;
  if (__atomic_load_n(&counts_all, __ATOMIC_RELAXED)) __atomic_add_fetch(&of_all, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

bool allocations_available(void) { return true; }
uint64_t allocations_of_thread(void) { return of_thread; }
void allocations_count_all(void) { __atomic_store_n(&counts_all, true, __ATOMIC_RELAXED); }
uint64_t allocations_of_all(void) { return __atomic_load_n(&of_all, __ATOMIC_RELAXED); }

#else

bool allocations_available(void) { return false; }
uint64_t allocations_of_thread(void) { return 0; }
void allocations_count_all(void) {}
uint64_t allocations_of_all(void) { return 0; }

#endif
