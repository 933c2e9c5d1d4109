#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashSignalOrigin.h"

#include <sys/ucontext.h>

#include "CAutoMobileCrash.h"

// Linux says it in `si_code`: what the kernel raises has a positive one.
//
// XNU does not. `sendsig` in bsd/dev/arm/unix_signal.c makes `si_code` of the signal's number alone, wherever it comes from:
// ILL_ILLTRP for SIGILL, BUS_ADRALN for SIGBUS, a SEGV_… for SIGSEGV, 0 for SIGFPE, and for all others, SIGTRAP among them, what
// was left in the process, which is 0. `si_addr` is the address of the last fault for SIGSEGV and SIGBUS and the program
// counter for the rest. So `kill -SEGV` looks like a fault there, and the trap of a failed Swift check like a signal that was
// sent. What tells them apart is why the thread went into the kernel, which is kept with its registers: a fault of the
// signal's kind, or a system call, as which `raise`, `pthread_kill` and most waiting threads are met. A thread that computes
// and is interrupted can still have the reason of its last fault: a signal sent to it from outside is then taken for one.

bool am_signal_is_arm_fault(int number, uint32_t syndrome) {
  enum {
    UNKNOWN = 0x00,  // an undefined instruction
    BRANCH_TARGET = 0x0D,
    ILLEGAL_STATE = 0x0E,
    POINTER_AUTHENTICATION = 0x1C,
    INSTRUCTION_ABORT = 0x20,
    PC_ALIGNMENT = 0x22,
    DATA_ABORT = 0x24,
    SP_ALIGNMENT = 0x26,
    FLOATING_POINT = 0x2C,
    BREAKPOINT = 0x30,
    SINGLE_STEP = 0x32,
    WATCHPOINT = 0x34,
    BRK = 0x3C,
  };
  switch (syndrome >> 26) {
    case INSTRUCTION_ABORT:
    case PC_ALIGNMENT:
    case DATA_ABORT:
    case SP_ALIGNMENT:
      return number == SIGSEGV || number == SIGBUS;
    case UNKNOWN:
    case BRANCH_TARGET:
    case ILLEGAL_STATE:
      return number == SIGILL;
    case POINTER_AUTHENTICATION:
      return number == SIGILL || number == SIGTRAP || number == SIGSEGV || number == SIGBUS;
    case FLOATING_POINT:
      return number == SIGFPE;
    case BREAKPOINT:
    case SINGLE_STEP:
    case WATCHPOINT:
    case BRK:
      return number == SIGTRAP;
    default:
      return false;
  }
}

bool am_signal_is_intel_fault(int number, uint32_t trap) {
  switch (trap) {
    case 10:  // task state, segment, stack, protection, page
    case 11:
    case 12:
    case 13:
    case 14:
    case 17:  // alignment
      return number == SIGSEGV || number == SIGBUS;
    case 6:
      return number == SIGILL;
    case 0:
    case 4:
    case 16:
    case 19:
      return number == SIGFPE;
    case 1:
    case 3:
      return number == SIGTRAP;
    default:
      return false;
  }
}

#if defined(__APPLE__)

static bool is_fault(int number, const void *context) {
  const mcontext_t machine = context ? ((const ucontext_t *)context)->uc_mcontext : NULL;
  if (!machine) return false;
#if defined(__arm64__)
  return am_signal_is_arm_fault(number, machine->__es.__esr);
#elif defined(__x86_64__)
  return am_signal_is_intel_fault(number, machine->__es.__trapno);
#else
  return false;
#endif
}

#endif

bool am_signal_was_sent(int number, const siginfo_t *info, const void *context) {
  if (!info || number == SIGABRT) return true;
#if defined(__APPLE__)
  return !is_fault(number, context);
#else
  (void)context;
  return info->si_code <= 0;
#endif
}
