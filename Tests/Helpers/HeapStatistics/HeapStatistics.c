#include "HeapStatistics.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

uint64_t heap_live_bytes(void) {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}
#else
uint64_t heap_live_bytes(void) { return 0; }
#endif
