// A count that each thread keeps for itself.
#ifndef C_AUTOMOBILE_THREAD_TICK_H
#define C_AUTOMOBILE_THREAD_TICK_H

#include <stdint.h>

/// How often the calling thread has called this. Wraps around.
///
/// Whoever has to count what many threads do can count every eighth of it, and then they rarely meet at the counter.
uint32_t am_thread_tick(void);

#endif
