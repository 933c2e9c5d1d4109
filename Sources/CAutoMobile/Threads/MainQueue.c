#include "CAutoMobileMainQueue.h"

#include <stddef.h>

#if defined(__linux__)
// Dispatch's headers declare it with a type of their own. Weak: the program may have been linked without Dispatch.
extern __attribute__((weak)) char _dispatch_main_q[];

const uint32_t *am_main_queue_words(void) { return (const uint32_t *)(const void *)_dispatch_main_q; }
#else
const uint32_t *am_main_queue_words(void) { return NULL; }
#endif
