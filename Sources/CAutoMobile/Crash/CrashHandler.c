#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashHandler.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CrashLane.h"
#include "../Images/CrashModules.h"
#include "CrashSignalOrigin.h"
#include "CrashSignals.h"
#include "CrashThreads.h"
#include "CrashVerdict.h"
#include "../Memory/MappingGuard.h"
#include "../Stacks/StackWalk.h"
#include "../Stacks/ThreadStop.h"

// What runs when the app dies. From the first instruction to the last: no allocation, no lock, no Swift, no thread-local
// variable but errno, no call of the loader. What it needs has been prepared.

enum phase { WRITING = 1, PASSING_ON = 2 };

/// The thread that writes the report, or passes its signal on; 0: nobody. The first one that crashes.
static am_thread_id author;
static uint32_t phase;
/// The signal that the author is busy with; 0 for an exception.
static struct {
  int number;
  siginfo_t *info;
  void *context;
  /// Where its writer goes on when the writing of the report fails; as long as there is such a place.
  sigjmp_buf retreat;
  bool has_retreat;
} current;
/// The thread that reported an exception or a fault, and that the signal will come to; and whether nothing can save it.
static am_thread_id thrower;
static bool is_final;
/// When a report was finished whose process lives on, on the monotonic clock; 0: none.
static uint64_t finished;

/// Threads that crashed while another one was being reported.
static struct am_known_thread waiting[AM_KNOWN_THREADS];

/// A process that has not died of its crash for so long does not die of it.
static const uint64_t longest_death = 2000000000;
static const uint64_t longest_wait = 10000000000;

#ifdef AM_JOURNAL_HOOKS
static void (*hook)(uint32_t stage);
bool am_crash_set_hook(void (*next)(uint32_t stage)) {
  hook = next;
  return true;
}
#else
bool am_crash_set_hook(void (*next)(uint32_t stage)) { return next == NULL; }
#endif

void am_crash_stage(uint32_t stage) {
  am_lane_set_stage(stage);
#ifdef AM_JOURNAL_HOOKS
  if (hook) hook(stage);
#endif
}

// MARK: Writing

static void write_signal(int number, const siginfo_t *info, const void *context, am_thread_id thread) {
  struct am_lane_signal *section = (struct am_lane_signal *)am_lane_begin(sizeof *section);
  if (!section) return;
  memset(section, 0, sizeof *section);
  section->number = number;
  section->thread = thread;
  section->time = am_wall_now();
  section->monotonic = am_monotonic_now();
  if (info) {
    section->code = info->si_code;
    if (am_signal_was_sent(number, info, context)) {
      section->sender = info->si_pid;
    } else {
      section->address = (uint64_t)(uintptr_t)info->si_addr;
    }
  }
  am_lane_end(AM_SECTION_SIGNAL, sizeof *section);
}

static void write_report(int number, siginfo_t *info, void *context, am_thread_id thread) {
  bool hasException = thrower == thread;
  if (!hasException) {
    am_lane_clear();
    am_crash_stage(AM_LANE_ENTERED);
    am_crash_note_verdict(thread);
  }
  write_signal(number, info, context, thread);
  am_lane_note_screen();
  if (!hasException) {
    struct am_registers registers;
    am_registers_from_context(&registers, context);
    am_crash_write_thread(thread, AM_THREAD_CRASHED, &registers);
    am_crash_stage(AM_LANE_CRASHED_THREAD);
    am_crash_write_other_threads(thread, waiting);
    am_crash_stage(AM_LANE_ALL_THREADS);
    am_modules_write_unknown();
  }
  am_modules_write_message();
  am_crash_stage(AM_LANE_COMPLETE);
}

static void note_second_fault(int number, const siginfo_t *info, void *context) {
  // A handler that returns to what it could not mend is called without end.
  enum { NOTES = 4 };
  static uint32_t notes;
  if (notes++ >= NOTES) return;
  struct am_text text = {.length = 0};
  struct am_registers registers;
  am_registers_from_context(&registers, context);
  am_text_add(&text, phase == WRITING ? "The crash handler itself" : "A handler of the app's, called after ours,");
  am_text_add(&text, " received signal ");
  am_text_add_number(&text, number);
  am_text_add(&text, " at ");
  am_text_add_hex(&text, registers.values[AM_REGISTER_PC]);
  if (info && !am_signal_was_sent(number, info, context)) {
    am_text_add(&text, ", address ");
    am_text_add_hex(&text, (uint64_t)(uintptr_t)info->si_addr);
  }
  am_text_add(&text, ".");
  am_lane_text(AM_SECTION_NOTE, text.bytes);
}

// MARK: One at a time

static bool claim(am_thread_id thread) {
  am_thread_id nobody = 0;
  return __atomic_compare_exchange_n(&author, &nobody, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void give_up_claim(void) { __atomic_store_n(&author, 0, __ATOMIC_RELEASE); }

// Until whoever crashed first is done; mostly that is the end of the process.
static void wait_for_author(am_thread_id thread, void *context) {
  int place = 0;
  for (; place < AM_KNOWN_THREADS; place++) {
    // The id last, after the context that goes with it.
    am_thread_id nobody = 0;
    if (__atomic_compare_exchange_n(
            &waiting[place].id, &nobody, UINT64_MAX, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      waiting[place].context = context;
      __atomic_store_n(&waiting[place].id, thread, __ATOMIC_RELEASE);
      break;
    }
  }
  const struct timespec pause = {0, 1000000};
  for (uint64_t end = am_monotonic_now() + longest_wait; am_monotonic_now() < end;) {
    if (claim(thread)) break;
    nanosleep(&pause, NULL);
  }
  if (place < AM_KNOWN_THREADS) __atomic_store_n(&waiting[place].id, 0, __ATOMIC_RELEASE);
}

/// A report that is there and of which the process is dying.
static bool is_dying(void) { return finished != 0 && am_monotonic_now() - finished < longest_death; }

// The signal of a fault in the handler itself, or in one of the app's that it called.
static void handle_second_fault(int number, siginfo_t *info, void *context, am_thread_id thread) {
  bool isOurs = phase == WRITING && current.has_retreat;
  if (isOurs && current.number != 0 && am_lane()->report_end == 0) write_signal(current.number, current.info, current.context, thread);
  note_second_fault(number, info, context);
  // What has been written stays; what was begun is given up.
  if (isOurs) {
    current.has_retreat = false;
    siglongjmp(current.retreat, 1);
  }
  am_signal_pass_on(number, info, context);
}

static void pass_on(int number, siginfo_t *info, void *context) {
  phase = PASSING_ON;
  if (am_crash_is_awaited()) {
    am_crash_release_threads();
    am_crash_await();
  }
#if defined(__linux__)
  // When nothing but the end comes, threads that stand still die sooner than threads that have just been let go.
  if (am_signal_has_handler(number))
#endif
    am_crash_release_threads();
  // Where no handler was called, the process ends when ours returns: the others go on waiting for that.
  if (!am_signal_pass_on(number, info, context)) return;
  // A handler that returns and leaves the signal to us has dealt with it. Not with SIGABRT: abort ends the process itself
  // when the handler returns.
  if (number != SIGABRT && am_signal_is_ours(number) && !is_final) {
    am_lane_set_stage(AM_LANE_SURVIVED);
    am_crash_withdraw_verdict();
    finished = 0;
    thrower = 0;
  }
  give_up_claim();
}

// MARK: The handler

static void handle(int number, siginfo_t *info, void *context) {
  if (am_signal_was_ignored(number) && am_signal_was_sent(number, info, context)) return;
  am_thread_id thread = am_thread_current();
  if (!am_signals_are_enabled() || !am_lane_ensure()) {
    // The child of a fork, or no lane: as if we were not there.
    am_signal_pass_on(number, info, context);
    return;
  }
  if (__atomic_load_n(&author, __ATOMIC_ACQUIRE) == thread) return handle_second_fault(number, info, context, thread);
  if (!claim(thread)) wait_for_author(thread, context);
  if (!is_dying() || thrower == thread) {
    phase = WRITING;
    current.number = number;
    current.info = info;
    current.context = context;
    if (sigsetjmp(current.retreat, 0) == 0) {
      current.has_retreat = true;
      write_report(number, info, context, thread);
    }
    current.has_retreat = false;
    finished = am_monotonic_now();
  }
  pass_on(number, info, context);
}

void am_crash_on_signal(int number, siginfo_t *info, void *context) {
  int saved = errno;
  if (number != SIGBUS || !info || !am_guard_mend(info->si_addr)) handle(number, info, context);
  errno = saved;
}

// MARK: Exceptions

bool am_crash_begin(void) {
  // The one who writes, whoever crashed: a fault of its own must be told from one of another thread.
  if (!am_lane_ensure() || !claim(am_thread_current())) return false;
  if (is_dying()) {
    give_up_claim();
    return false;
  }
  phase = WRITING;
  current.number = 0;
  am_lane_clear();
  am_crash_stage(AM_LANE_ENTERED);
  return true;
}

bool am_crash_write_guarded(void (*write)(const void *), const void *argument) {
  if (sigsetjmp(current.retreat, 0) != 0) return false;
  current.has_retreat = true;
  write(argument);
  current.has_retreat = false;
  return true;
}

static void end(am_thread_id thread, bool isFinal) {
  thrower = thread;
  is_final = isFinal;
  finished = am_monotonic_now();
  give_up_claim();
}

void am_crash_end_exception(am_thread_id thread) { end(thread, true); }
void am_crash_end_fault(am_thread_id thread) { end(thread, false); }
