#include "CAutoMobileCallerStack.h"

#include <execinfo.h>

enum { AM_CALLER_STACK_LIMIT = 128 };

__attribute__((noinline)) int am_caller_stack(uint64_t *addresses, int capacity) {
  void *found[AM_CALLER_STACK_LIMIT];
  int limit = capacity < AM_CALLER_STACK_LIMIT - 1 ? capacity + 1 : AM_CALLER_STACK_LIMIT;
  int count = backtrace(found, limit);
  // The first is this function.
  for (int n = 1; n < count; n++) addresses[n - 1] = (uint64_t)(uintptr_t)found[n];
  return count > 0 ? count - 1 : 0;
}
