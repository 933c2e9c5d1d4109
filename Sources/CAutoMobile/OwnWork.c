#include "CAutoMobileOwnWork.h"

#include <stddef.h>

#include "CAutoMobileStack.h"

// A table, and no thread-local variable: a crash handler may look at it, also from another thread than the one that crashed.

enum { PLACES = 64 };

/// The thread's number; with this bit while it runs code of the app's.
static const uint64_t paused = UINT64_C(1) << 63;
static uint64_t threads[PLACES];
/// How many places are taken: mostly none, and then nothing is looked for.
static int32_t taken;

static int32_t place_of(uint64_t thread) {
  for (int32_t place = 0; place < PLACES; place++) {
    if ((__atomic_load_n(&threads[place], __ATOMIC_RELAXED) & ~paused) == thread) return place;
  }
  return -1;
}

int32_t am_own_work_begin(void) {
  uint64_t thread = am_thread_current();
  if (thread == 0 || (__atomic_load_n(&taken, __ATOMIC_RELAXED) > 0 && place_of(thread) >= 0)) return -1;
  __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
  for (int32_t place = 0; place < PLACES; place++) {
    uint64_t nobody = 0;
    if (__atomic_compare_exchange_n(
            &threads[place], &nobody, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return place;
    }
  }
  __atomic_fetch_sub(&taken, 1, __ATOMIC_RELAXED);
  return -1;
}

void am_own_work_end(int32_t mark) {
  if (mark < 0 || mark >= PLACES) return;
  __atomic_store_n(&threads[mark], 0, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&taken, 1, __ATOMIC_RELAXED);
}

int32_t am_own_work_pause(void) {
  if (__atomic_load_n(&taken, __ATOMIC_RELAXED) <= 0) return -1;
  uint64_t thread = am_thread_current();
  int32_t place = place_of(thread);
  // Code of the app's that is called within code of the app's is that already.
  if (place < 0 || __atomic_load_n(&threads[place], __ATOMIC_RELAXED) & paused) return -1;
  __atomic_store_n(&threads[place], thread | paused, __ATOMIC_RELEASE);
  return place;
}

void am_own_work_resume(int32_t mark) {
  if (mark < 0 || mark >= PLACES) return;
  __atomic_fetch_and(&threads[mark], ~paused, __ATOMIC_ACQ_REL);
}

bool am_own_work_is_done_by(uint64_t thread) {
  if (thread == 0) return false;
  for (int32_t place = 0; place < PLACES; place++) {
    if (__atomic_load_n(&threads[place], __ATOMIC_ACQUIRE) == thread) return true;
  }
  return false;
}
