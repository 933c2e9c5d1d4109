#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CAutoMobileStack.h"
#include "StackWalk.h"
#include "ThreadState.h"

static void clear(struct am_stack_sample *sample) {
  sample->registers.known = 0;
  sample->frame_count = 0;
  sample->stack_start = 0;
  sample->stack_length = 0;
  sample->is_silent = false;
  sample->frames_truncated = false;
  sample->stack_truncated = false;
}

static void take(struct am_stack_sample *sample) {
  if (sample->stack) {
    sample->stack_length = am_stack_copy(
        &sample->registers, sample->stack, sample->stack_capacity, &sample->stack_start, &sample->stack_truncated);
  }
  static const uint8_t nothing;
  sample->frame_count = am_stack_walk(
      &sample->registers, sample->stack_start, sample->stack ? sample->stack : &nothing, sample->stack_length,
      sample->frames, AM_STACK_FRAMES, &sample->frames_truncated);
}

#if defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

#include "ThreadStop.h"

am_thread_id am_thread_current(void) { return (am_thread_id)syscall(SYS_gettid); }

bool am_stack_sample(am_thread_id thread, struct am_stack_sample *sample, uint64_t timeout) {
  clear(sample);
  if (thread == am_thread_current() || !am_stop_prepare()) return false;
  struct am_stop *stop = am_stop_ask(thread);
  if (!stop) return false;
  bool isStopped = am_stop_wait(stop, am_monotonic_now() + timeout);
  if (isStopped) {
    am_registers_from_context(&sample->registers, am_stop_context(stop));
    take(sample);
  }
  am_stop_release(stop);
  if (isStopped) return true;
  // A thread that waits for a disk answers no signal; the kernel knows where it waits.
  sample->is_silent = true;
  if (!am_thread_registers_outside(thread, &sample->registers)) return false;
  take(sample);
  return true;
}

#else

#include <mach/mach.h>
#include <pthread.h>

am_thread_id am_thread_current(void) { return pthread_mach_thread_np(pthread_self()); }

bool am_stack_sample(am_thread_id thread, struct am_stack_sample *sample, uint64_t timeout) {
  (void)timeout;
  clear(sample);
  if (thread == am_thread_current() || thread_suspend((thread_act_t)thread) != KERN_SUCCESS) return false;
  bool isKnown = am_thread_registers_outside(thread, &sample->registers);
  if (isKnown) take(sample);
  thread_resume((thread_act_t)thread);
  return isKnown;
}

#endif
