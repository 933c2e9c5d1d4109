// Dispatch's main queue, as memory.
#ifndef C_AUTOMOBILE_MAIN_QUEUE_H
#define C_AUTOMOBILE_MAIN_QUEUE_H

#include <stdint.h>

/// The first 24 words of the main queue, which lives as long as the process; null where they are of no use.
const uint32_t *_Nullable am_main_queue_words(void);

#endif
