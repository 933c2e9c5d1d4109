// What can be learned of a stack from a thread's registers.
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include "CAutoMobileStack.h"

/// Takes the registers out of what a signal handler is given. Async-signal-safe.
void am_registers_from_context(struct am_registers *_Nonnull registers, const void *_Nonnull context);

/// The registers of a function's caller, as far as they tell its stack.
///
/// - Parameter frame: the function's __builtin_frame_address(0). It must keep nothing in its frame but the caller's frame
///   pointer and the return address: then the caller's stack begins just above.
void am_registers_of_caller(struct am_registers *_Nonnull registers, const void *_Nonnull frame);

/// Copies the window of the stack that the registers point to. Async-signal-safe.
///
/// - Returns: how many bytes; `truncated` when there are more.
size_t am_stack_copy(
    const struct am_registers *_Nonnull registers, uint8_t *_Nonnull target, size_t capacity, uint64_t *_Nonnull start,
    bool *_Nonnull truncated);

/// Follows frame pointers, in the window and, by checked reads, beyond it. Async-signal-safe.
///
/// - Returns: how many return addresses were found; `truncated` when there are more.
uint32_t am_stack_walk(
    const struct am_registers *_Nonnull registers, uint64_t start, const uint8_t *_Nonnull window, size_t length,
    uint64_t *_Nonnull frames, uint32_t limit, bool *_Nonnull truncated);

#endif
