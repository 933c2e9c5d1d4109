// The stack of a thread, taken from outside: registers, return addresses, and the bytes to unwind more from.
#ifndef C_AUTOMOBILE_STACK_H
#define C_AUTOMOBILE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  AM_REGISTER_COUNT = 34,
  AM_X86_64_RBP = 6,
  AM_X86_64_RSP = 7,
  AM_X86_64_RIP = 16,
  AM_X86_64_RFLAGS = 17,
  AM_X86_64_COUNT = 18,
  AM_ARM64_FP = 29,
  AM_ARM64_LR = 30,
  AM_ARM64_SP = 31,
  AM_ARM64_PC = 32,
  AM_ARM64_CPSR = 33,
  AM_ARM64_COUNT = 34,
};

#if defined(__x86_64__)
enum { AM_REGISTER_FP = AM_X86_64_RBP, AM_REGISTER_SP = AM_X86_64_RSP, AM_REGISTER_PC = AM_X86_64_RIP };
#elif defined(__aarch64__)
enum { AM_REGISTER_FP = AM_ARM64_FP, AM_REGISTER_SP = AM_ARM64_SP, AM_REGISTER_PC = AM_ARM64_PC };
#else
#error "Stacks are known for x86-64 and arm64."
#endif

/// A thread's registers in DWARF's order for the architecture; one after them, the processor's flags.
struct am_registers {
  /// Bit n: register n is known.
  uint64_t known;
  uint64_t values[AM_REGISTER_COUNT];
};

/// A thread by the number that the system knows it by: the kernel's thread id, or the Mach port on Apple platforms.
typedef uint64_t am_thread_id;

/// The calling thread. Any thread, also in a signal handler.
am_thread_id am_thread_current(void);

enum { AM_STACK_FRAMES = 256 };

/// A stack as it was at one moment.
struct am_stack_sample {
  struct am_registers registers;
  /// Return addresses found by frame pointers, innermost first, without the program counter.
  uint64_t frames[AM_STACK_FRAMES];
  uint32_t frame_count;
  /// There were more frames; the stack goes on beyond the window.
  bool frames_truncated;
  bool stack_truncated;
  /// The thread could not be stopped: its program counter and stack pointer are known from outside, if at all.
  bool is_silent;
  /// The window: the bytes from the stack pointer (and the red zone before it) upwards.
  uint64_t stack_start;
  size_t stack_length;
  /// Where to put them, and how many at most; the caller's.
  uint8_t *_Nullable stack;
  size_t stack_capacity;
};

/// Stops another thread for some tens of microseconds, and takes its stack.
///
/// Takes no lock and allocates nothing, so that it may be called whatever the other thread holds. On Linux the thread is
/// stopped by SIGPROF, which even the threads of Dispatch's pools let through; a handler of the app's for that signal is
/// called for signals that are not ours. Any thread but the one that is asked for.
///
/// - Parameter timeout: how long to wait for the thread, in nanoseconds.
/// - Returns: false when nothing could be learned.
bool am_stack_sample(am_thread_id thread, struct am_stack_sample *_Nonnull sample, uint64_t timeout);

/// Where a thread sleeps.
struct am_wait_place {
  /// The stack pointer, and the instruction after the one that went to sleep.
  uint64_t stack;
  uint64_t code;
};

/// Where another thread sleeps in the kernel, without stopping or waking it. Allocates nothing.
///
/// - Returns: false while it runs (on Apple platforms it may then be any place), or when there is no such thread.
bool am_thread_wait_place(am_thread_id thread, struct am_wait_place *_Nonnull place);

#endif
