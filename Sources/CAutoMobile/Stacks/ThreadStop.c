#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "ThreadStop.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

uint64_t am_monotonic_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#if defined(__linux__)

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

// A real-time signal would be nobody else's, but the threads of Dispatch's pools block those: they let through only what
// a fault raises, SIGPIPE, and SIGPROF, which is there for looking at threads.
enum { STOP_SIGNAL = SIGPROF };

enum { FREE, ASKED, STOPPED };

struct am_stop {
  /// 0: nobody's.
  uint32_t thread;
  /// Also what both sides wait on.
  uint32_t state;
  const void *context;
};

static struct am_stop stops[AM_STOPS];
static struct sigaction previous;

// Nobody forgets a thread that it stopped; but a thread that is forgotten all the same goes on.
static const struct timespec longest_stop = {1, 0};

static void futex_wait(uint32_t *word, uint32_t value, const struct timespec *timeout) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout, NULL, 0L);
}
static void futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1L, NULL, NULL, 0L); }

static bool stand_still(const void *context) {
  uint32_t thread = (uint32_t)am_thread_current();
  for (int index = 0; index < AM_STOPS; index++) {
    struct am_stop *stop = &stops[index];
    if (__atomic_load_n(&stop->thread, __ATOMIC_ACQUIRE) != thread) continue;
    uint32_t asked = ASKED;
    stop->context = context;
    if (!__atomic_compare_exchange_n(&stop->state, &asked, STOPPED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) continue;
    futex_wake(&stop->state);
    uint64_t deadline = am_monotonic_now() + 1000000000;
    while (__atomic_load_n(&stop->state, __ATOMIC_ACQUIRE) == STOPPED && am_monotonic_now() < deadline) {
      futex_wait(&stop->state, STOPPED, &longest_stop);
    }
    return true;
  }
  return false;
}

static void on_stop(int number, siginfo_t *info, void *context) {
  int saved = errno;
  bool wasOurs = stand_still(context);
  // One that was sent by this process and that nobody waits for any more is a late answer, not a profiler's.
  bool isLate = info->si_code == SI_TKILL && info->si_pid == getpid();
  if (!wasOurs && !isLate) {
    if (previous.sa_flags & SA_SIGINFO) {
      if (previous.sa_sigaction) previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
      previous.sa_handler(number);
    }
  }
  errno = saved;
}

bool am_stop_prepare(void) {
  struct sigaction current;
  if (sigaction(STOP_SIGNAL, NULL, &current) != 0) return false;
  if (current.sa_flags & SA_SIGINFO && current.sa_sigaction == on_stop) return true;
  previous = current;
  struct sigaction action = {.sa_sigaction = on_stop, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  return sigaction(STOP_SIGNAL, &action, NULL) == 0;
}

struct am_stop *am_stop_ask(am_thread_id thread) {
  for (int index = 0; index < AM_STOPS; index++) {
    struct am_stop *stop = &stops[index];
    uint32_t nobody = 0;
    if (__atomic_load_n(&stop->thread, __ATOMIC_RELAXED) != 0) continue;
    // The state first, under a name that no thread has.
    if (!__atomic_compare_exchange_n(
            &stop->thread, &nobody, UINT32_MAX, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      continue;
    }
    __atomic_store_n(&stop->state, ASKED, __ATOMIC_RELEASE);
    __atomic_store_n(&stop->thread, (uint32_t)thread, __ATOMIC_RELEASE);
    if (syscall(SYS_tgkill, getpid(), (pid_t)thread, STOP_SIGNAL) == 0) return stop;
    am_stop_release(stop);
    return NULL;
  }
  return NULL;
}

bool am_stop_wait(struct am_stop *stop, uint64_t deadline) {
  while (__atomic_load_n(&stop->state, __ATOMIC_ACQUIRE) == ASKED) {
    uint64_t now = am_monotonic_now();
    if (now >= deadline) return false;
    uint64_t rest = deadline - now;
    struct timespec timeout = {(time_t)(rest / 1000000000), (long)(rest % 1000000000)};
    futex_wait(&stop->state, ASKED, &timeout);
  }
  return true;
}

const void *am_stop_context(const struct am_stop *stop) { return stop->context; }

void am_stop_release(struct am_stop *stop) {
  // A thread that answers now finds that nobody asks.
  uint32_t before = __atomic_exchange_n(&stop->state, FREE, __ATOMIC_ACQ_REL);
  if (before == STOPPED) futex_wake(&stop->state);
  __atomic_store_n(&stop->thread, 0, __ATOMIC_RELEASE);
}

#endif
