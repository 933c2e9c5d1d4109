// What can be learned of a stack from a thread's registers.
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include "CAutoMobileStack.h"

/// Takes the registers out of what a signal handler is given. Async-signal-safe.
void am_registers_from_context(struct am_registers *_Nonnull registers, const void *_Nonnull context);

/// The registers here, as far as a caller keeps them: enough to unwind from.
static inline __attribute__((always_inline)) void am_registers_here(struct am_registers *_Nonnull registers) {
  uint64_t *values = registers->values;
  for (int index = 0; index < AM_REGISTER_COUNT; index++) values[index] = 0;
#if defined(__x86_64__)
  __asm__ volatile(
      "movq %%rbx, 24(%0)\n movq %%rbp, 48(%0)\n movq %%rsp, 56(%0)\n movq %%r12, 96(%0)\n movq %%r13, 104(%0)\n"
      "movq %%r14, 112(%0)\n movq %%r15, 120(%0)\n leaq (%%rip), %%rax\n movq %%rax, 128(%0)\n"
      :
      : "r"(values)
      : "rax", "memory");
  registers->known = 0x1F0C8;
#else
  __asm__ volatile(
      "stp x19, x20, [%0, #152]\n stp x21, x22, [%0, #168]\n stp x23, x24, [%0, #184]\n stp x25, x26, [%0, #200]\n"
      "stp x27, x28, [%0, #216]\n stp x29, x30, [%0, #232]\n mov x9, sp\n adr x10, .\n stp x9, x10, [%0, #248]\n"
      :
      : "r"(values)
      : "x9", "x10", "memory");
  registers->known = 0x1FFF80000;
#endif
}

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
