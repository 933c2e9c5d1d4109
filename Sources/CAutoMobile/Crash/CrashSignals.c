#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashSignals.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include "CAutoMobileCrash.h"
#include "CrashHandler.h"
#include "CrashSignalOrigin.h"
#include "../Stacks/ThreadStop.h"

#if defined(__linux__)
#include <sys/syscall.h>
#endif

static const struct {
  int number;
  uint32_t bit;
} known[] = {{SIGABRT, AM_CRASH_ABRT}, {SIGSEGV, AM_CRASH_SEGV}, {SIGBUS, AM_CRASH_BUS},
             {SIGFPE, AM_CRASH_FPE},   {SIGILL, AM_CRASH_ILL},   {SIGTRAP, AM_CRASH_TRAP}};
enum { KNOWN = sizeof known / sizeof *known };

static struct sigaction before[KNOWN];
/// Bits of signals whose handler is ours, or that have one above ours; and of those that are reported.
static uint32_t installed, enabled;

static int index_of(int number) {
  for (int index = 0; index < KNOWN; index++) {
    if (known[index].number == number) return index;
  }
  return -1;
}

// MARK: Installing

bool am_signal_is_ours(int number) {
  struct sigaction current;
  if (sigaction(number, NULL, &current) != 0) return false;
  return current.sa_flags & SA_SIGINFO && current.sa_sigaction == am_crash_on_signal;
}

uint32_t am_crash_signals_enable(uint32_t signals) {
  for (int index = 0; index < KNOWN; index++) {
    if (!(signals & known[index].bit)) continue;
    // A handler above ours that has ours as the one before: to install it again would make a ring.
    if (!(installed & known[index].bit)) {
      if (sigaction(known[index].number, NULL, &before[index]) != 0) continue;
      struct sigaction action = {.sa_sigaction = am_crash_on_signal};
      // Not deferred, so that a fault in the handler itself comes to us instead of ending the process without a word.
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (before[index].sa_flags & SA_RESTART);
      sigfillset(&action.sa_mask);
      for (int other = 0; other < KNOWN; other++) sigdelset(&action.sa_mask, known[other].number);
      // By which another thread that crashed may ask this one to stand still.
      sigdelset(&action.sa_mask, SIGPROF);
      if (sigaction(known[index].number, &action, NULL) != 0) continue;
      installed |= known[index].bit;
    }
    __atomic_store_n(&enabled, enabled | known[index].bit, __ATOMIC_RELEASE);
  }
  return enabled;
}

void am_crash_signals_disable(void) {
  __atomic_store_n(&enabled, 0, __ATOMIC_RELEASE);
  for (int index = 0; index < KNOWN; index++) {
    if (!(installed & known[index].bit) || !am_signal_is_ours(known[index].number)) continue;
    if (sigaction(known[index].number, &before[index], NULL) == 0) installed &= ~known[index].bit;
  }
}

bool am_signals_are_enabled(void) { return __atomic_load_n(&enabled, __ATOMIC_ACQUIRE) != 0; }

// MARK: Passing on

bool am_signal_was_ignored(int number) {
  int index = index_of(number);
  return index >= 0 && !(before[index].sa_flags & SA_SIGINFO) && before[index].sa_handler == SIG_IGN;
}

static bool is_handler(const struct sigaction *action) {
  if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction != NULL;
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

bool am_signal_has_handler(int number) {
  int index = index_of(number);
  return index >= 0 && is_handler(&before[index]);
}

// As if the signal came again, with what it said, to a process that has no handler for it.
static void leave_to_system(int number, siginfo_t *info, const void *context) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
  // Waits until this handler has returned.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
#if defined(__linux__)
  (void)context;
  long thread = syscall(SYS_gettid);
  if (!info || syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, info) != 0) {
    syscall(SYS_tgkill, getpid(), thread, number);
  }
#else
  // A fault happens again when this handler returns; a signal that was sent does not.
  if (am_signal_was_sent(number, info, context)) pthread_kill(pthread_self(), number);
#endif
}

// The mask that the handler would have run with.
static void set_mask(int number, const struct sigaction *action, void *context) {
  sigset_t mask = action->sa_mask;
  if (!(action->sa_flags & SA_NODEFER)) sigaddset(&mask, number);
  if (context) {
    const sigset_t *interrupted = &((const ucontext_t *)context)->uc_sigmask;
    for (int other = 1; other < NSIG; other++) {
      if (sigismember(interrupted, other) == 1) sigaddset(&mask, other);
    }
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

bool am_signal_pass_on(int number, siginfo_t *info, void *context) {
  int index = index_of(number);
  if (index < 0) return false;
  struct sigaction action = before[index];
  if (!is_handler(&action)) {
    leave_to_system(number, info, context);
    return false;
  }
  if (action.sa_flags & (int)SA_RESETHAND) {
    before[index].sa_flags &= ~SA_SIGINFO;
    before[index].sa_handler = SIG_DFL;
  }
  set_mask(number, &action, context);
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(number, info, context);
  } else {
    action.sa_handler(number);
  }
  return true;
}
