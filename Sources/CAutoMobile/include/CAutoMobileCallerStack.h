// The stack of the calling thread.
#ifndef C_AUTOMOBILE_CALLER_STACK_H
#define C_AUTOMOBILE_CALLER_STACK_H

#include <stdint.h>

/// The addresses to which the calls of this thread return, the innermost first, the caller's own place included.
///
/// By frame pointers on Apple platforms, by call-frame information elsewhere. The first call loads the unwinder of the C
/// library; later ones neither lock nor read files.
///
/// - Returns: how many there are, `capacity` at most.
int am_caller_stack(uint64_t *_Nonnull addresses, int capacity);

#endif
