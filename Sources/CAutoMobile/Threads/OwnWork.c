#include "CAutoMobileOwnWork.h"

#include <stddef.h>

#include "CAutoMobileStack.h"

// A table, which a crash handler may look at, also from another thread than the one that crashed; it may not look at a variable of
// the thread's own. That only tells a thread quickly that it does no work of the SDK's.

enum { PLACES = 64 };

/// The thread's number; with this bit while it runs code of the app's.
static const uint64_t paused = UINT64_C(1) << 63;
static uint64_t threads[PLACES];
/// This thread's place in the table, from 1 on; 0: it has none.
static _Thread_local int32_t own_place;

int32_t am_own_work_begin(void) {
  if (own_place != 0) {
    int32_t place = own_place - 1;
    if (!(__atomic_load_n(&threads[place], __ATOMIC_RELAXED) & paused)) return -1;
    // Code of the app's, called by the SDK, has called the SDK: the SDK's again, until it returns to the app's.
    __atomic_fetch_and(&threads[place], ~paused, __ATOMIC_ACQ_REL);
    return PLACES + place;
  }
  uint64_t thread = am_thread_current();
  if (thread == 0) return -1;
  for (int32_t place = 0; place < PLACES; place++) {
    uint64_t nobody = 0;
    if (__atomic_compare_exchange_n(
            &threads[place], &nobody, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      own_place = place + 1;
      return place;
    }
  }
  return -1;
}

void am_own_work_end(int32_t mark) {
  if (mark < 0 || mark >= 2 * PLACES) return;
  if (mark >= PLACES) {
    __atomic_fetch_or(&threads[mark - PLACES], paused, __ATOMIC_ACQ_REL);
    return;
  }
  own_place = 0;
  __atomic_store_n(&threads[mark], 0, __ATOMIC_RELEASE);
}

int32_t am_own_work_pause(void) {
  int32_t place = own_place - 1;
  // Code of the app's that is called within code of the app's is that already.
  if (place < 0 || __atomic_load_n(&threads[place], __ATOMIC_RELAXED) & paused) return -1;
  __atomic_fetch_or(&threads[place], paused, __ATOMIC_ACQ_REL);
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
