// Stacks of this process, with what the C library itself says is on them.
#ifndef STACK_CAPTURE_H
#define STACK_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STACK_CAPTURE_BYTES = 128 * 1024, STACK_CAPTURE_FRAMES = 128 };

struct stack_capture {
  /// In DWARF's order, the program counter last.
  uint64_t registers[33];
  int register_count;
  uint64_t stack_start;
  size_t stack_length;
  uint8_t stack[STACK_CAPTURE_BYTES];
  /// What backtrace() says: return addresses, the innermost first. The first is one in the function that captured.
  void *truth[STACK_CAPTURE_FRAMES];
  int truth_count;
};

/// Swift does not see arrays as long as this one.
static inline const uint8_t *stack_capture_bytes(const struct stack_capture *capture) { return capture->stack; }

/// Captures the caller's stack from within qsort(), whose frames have no frame pointers.
bool stack_capture_in_qsort(struct stack_capture *out);

/// Captures from within a signal handler, on the thread's own stack, that interrupted code in the C library.
bool stack_capture_in_signal(struct stack_capture *out);

/// Captures the registers and the stack of a new thread that sleeps in the C library.
bool stack_capture_of_sleeper(struct stack_capture *out);

/// Captures through a recursion of some depth.
bool stack_capture_in_recursion(struct stack_capture *out, int depth);

#endif
