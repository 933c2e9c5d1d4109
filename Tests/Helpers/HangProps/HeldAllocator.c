#include "HangProps.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

// An executable's own malloc comes before the library's, for every library in the process; the library's stays reachable
// under its other name.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static _Atomic uintptr_t holder;

// The thread's own place in memory names it, without a call.
static __thread char self __attribute__((tls_model("initial-exec")));

static void pass(void) {
  uintptr_t other;
  while ((other = holder) != 0 && other != (uintptr_t)&self) usleep(1000);
}

void *malloc(size_t size) {
  pass();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  pass();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  pass();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  pass();
  return __libc_memalign(alignment, size);
}

void free(void *memory) {
  pass();
  __libc_free(memory);
}

bool allocator_can_be_held(void) { return true; }
void allocator_hold(void) { holder = (uintptr_t)&self; }
void allocator_release(void) { holder = 0; }

#else

bool allocator_can_be_held(void) { return false; }
void allocator_hold(void) {}
void allocator_release(void) {}

#endif
