#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashThreads.h"

#include <string.h>
#include <unistd.h>

#include "CrashLane.h"
#include "../Stacks/StackWalk.h"
#include "../Stacks/ThreadState.h"
#include "../Stacks/ThreadStop.h"

enum {
  THREADS = 256,
  /// Of the thread that crashed, and of each other one when there is room.
  LONG_WINDOW = 64 * 1024,
  SHORT_WINDOW = 16 * 1024,
  LONG_WALK = 512,
  SHORT_WALK = 128,
  /// Kept for notes and what else comes after the threads.
  RESERVE = 16 * 1024,
};

/// How long all threads together may take, in nanoseconds.
static const uint64_t total_timeout = 40000000;

// Not on the stack: the handler's is short, and one thread at a time reports.
static am_thread_id threads[THREADS];
static uint64_t frames[LONG_WALK];

static uint32_t main_flag(am_thread_id thread) {
#if defined(__linux__)
  return (int64_t)thread == getpid() ? AM_THREAD_MAIN : 0;
#else
  // The list begins with the main thread, as long as that lives.
  am_thread_id first = 0;
  return am_thread_list(&first, 1) == 1 && first == thread ? AM_THREAD_MAIN : 0;
#endif
}

// The context of a thread that crashed, too; nil when it has not.
static const void *context_of(am_thread_id thread, const struct am_known_thread *known) {
  for (int index = 0; index < AM_KNOWN_THREADS; index++) {
    if (__atomic_load_n(&known[index].id, __ATOMIC_ACQUIRE) == thread) return known[index].context;
  }
  return NULL;
}

// MARK: One thread

static void write_thread(
    am_thread_id thread, uint32_t flags, const struct am_registers *registers, size_t window, uint32_t walk) {
  size_t fixed = sizeof(struct am_lane_thread), addresses = walk * sizeof *frames;
  size_t room = am_lane_room();
  if (room < fixed + addresses) return;
  if (window > room - fixed - addresses) window = (room - fixed - addresses) & ~(size_t)7;
  uint8_t *target = am_lane_begin(fixed + addresses + window);
  if (!target) return;

  struct am_lane_thread head = {.id = thread, .flags = flags};
  head.registers = *registers;
  am_thread_name(thread, head.name, sizeof head.name);
  bool isCut = false;
  // The window first goes to where it lies when there are as many frames as possible, then up to those that there are.
  uint8_t *stack = target + fixed + addresses;
  if (registers->known >> AM_REGISTER_SP & 1) {
    head.stack_length = (uint32_t)am_stack_copy(registers, stack, window, &head.stack_start, &isCut);
  }
  if (isCut) head.flags |= AM_THREAD_STACK_TRUNCATED;
  head.frame_count = am_stack_walk(registers, head.stack_start, stack, head.stack_length, frames, walk, &isCut);
  if (isCut) head.flags |= AM_THREAD_FRAMES_TRUNCATED;
  addresses = head.frame_count * sizeof *frames;
  memcpy(target, &head, fixed);
  memcpy(target + fixed, frames, addresses);
  memmove(target + fixed + addresses, stack, head.stack_length);
  am_lane_end(AM_SECTION_THREAD, fixed + addresses + head.stack_length);
}

void am_crash_write_thread(am_thread_id thread, uint32_t flags, const struct am_registers *registers) {
  write_thread(thread, flags | main_flag(thread), registers, LONG_WINDOW, LONG_WALK);
}

static void write_other(am_thread_id thread, uint32_t flags, const struct am_registers *registers, uint32_t waiting) {
  // What room there is, is shared by those that still come.
  size_t room = am_lane_room(), each = room > RESERVE ? (room - RESERVE) / (waiting + 1) : 0;
  size_t fixed = sizeof(struct am_lane_section) + sizeof(struct am_lane_thread) + SHORT_WALK * sizeof *frames;
  size_t window = each > fixed ? each - fixed : 0;
  write_thread(thread, flags, registers, window < SHORT_WINDOW ? window & ~(size_t)7 : SHORT_WINDOW, SHORT_WALK);
}

static void note_threads_left_out(uint32_t count) {
  if (count < THREADS) return;
  struct am_text text = {.length = 0};
  am_text_add(&text, "There were more threads than the ");
  am_text_add_number(&text, THREADS);
  am_text_add(&text, " that were looked at.");
  am_lane_text(AM_SECTION_NOTE, text.bytes);
}

// MARK: All others

#if defined(__linux__)

/// How long one thread is waited for, in nanoseconds.
static const uint64_t thread_timeout = 15000000;

static struct am_stop *stopped[THREADS];

void am_crash_release_threads(void) {
  for (int index = 0; index < THREADS; index++) {
    struct am_stop *stop = __atomic_exchange_n(&stopped[index], NULL, __ATOMIC_ACQ_REL);
    if (stop) am_stop_release(stop);
  }
}

void am_crash_write_other_threads(am_thread_id crashed, const struct am_known_thread *known) {
  uint32_t count = am_thread_list(threads, THREADS), waiting = count;
  bool canStop = am_stop_prepare();
  am_thread_id self = am_thread_current();
  // All are asked at once: with fewer processors than threads, each has to wait for its turn to stand still.
  for (uint32_t index = 0; index < count; index++) {
    bool isOther = threads[index] != crashed && threads[index] != self;
    if (isOther && canStop && !context_of(threads[index], known)) stopped[index] = am_stop_ask(threads[index]);
  }
  uint64_t end = am_monotonic_now() + total_timeout;
  for (uint32_t index = 0; index < count; index++) {
    waiting--;
    if (threads[index] == crashed || threads[index] == self) continue;
    struct am_registers registers = {.known = 0};
    uint32_t flags = main_flag(threads[index]);
    const void *context = context_of(threads[index], known);
    uint64_t limit = am_monotonic_now() + thread_timeout;
    if (context) {
      flags |= AM_THREAD_ALSO_CRASHED;
    } else if (stopped[index] && am_stop_wait(stopped[index], limit < end ? limit : end)) {
      context = am_stop_context(stopped[index]);
    }
    if (context) {
      am_registers_from_context(&registers, context);
    } else {
      flags |= AM_THREAD_SILENT;
      am_thread_registers_outside(threads[index], &registers);
    }
    write_other(threads[index], flags, &registers, waiting);
  }
  note_threads_left_out(count);
}

#else

#include <mach/mach.h>

static uint32_t suspended;

void am_crash_release_threads(void) {
  uint32_t count = __atomic_exchange_n(&suspended, 0, __ATOMIC_ACQ_REL);
  for (uint32_t index = 0; index < count; index++) {
    if (threads[index]) thread_resume((thread_act_t)threads[index]);
  }
}

void am_crash_write_other_threads(am_thread_id crashed, const struct am_known_thread *known) {
  uint32_t count = am_thread_list(threads, THREADS);
  am_thread_id self = am_thread_current(), main_thread = count ? threads[0] : 0;
  struct am_registers registers;
  for (uint32_t index = 0; index < count; index++) {
    if (threads[index] == self || threads[index] == crashed ||
        thread_suspend((thread_act_t)threads[index]) != KERN_SUCCESS) {
      threads[index] = 0;
    }
  }
  __atomic_store_n(&suspended, count, __ATOMIC_RELEASE);
  uint64_t end = am_monotonic_now() + total_timeout;
  for (uint32_t index = 0; index < count; index++) {
    if (!threads[index]) continue;
    uint32_t flags = threads[index] == main_thread ? AM_THREAD_MAIN : 0;
    const void *context = context_of(threads[index], known);
    if (context) {
      flags |= AM_THREAD_ALSO_CRASHED;
      am_registers_from_context(&registers, context);
    } else if (!am_thread_registers_outside(threads[index], &registers)) {
      flags |= AM_THREAD_SILENT;
    }
    // A suspended thread answers at once; the cap is for what copying costs.
    if (am_monotonic_now() < end) write_other(threads[index], flags, &registers, count - index - 1);
  }
  note_threads_left_out(count);
}

#endif
