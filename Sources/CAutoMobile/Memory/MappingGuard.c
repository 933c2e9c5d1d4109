#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "MappingGuard.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CAutoMobileCrash.h"
#include "CAutoMobileJournal.h"
#include "../Crash/CrashLane.h"

// A page of a shared mapping whose block the disk cannot give raises SIGBUS in whoever touches it. That is no reason for
// the app to die: it gets memory in place of the page, and the journal takes no more records.

enum { GUARDS = 256 };

struct guard {
  /// 0: free; 1: being filled.
  uintptr_t start;
  size_t length;
  uint32_t *closed;
};

static struct guard guards[GUARDS];
static uint64_t faults;

bool am_guard_add(const void *start, size_t length, uint32_t *closed) {
  for (int index = 0; index < GUARDS; index++) {
    if (__atomic_load_n(&guards[index].start, __ATOMIC_ACQUIRE) == (uintptr_t)start) return true;
  }
  for (int index = 0; index < GUARDS; index++) {
    uintptr_t nothing = 0;
    if (!__atomic_compare_exchange_n(
            &guards[index].start, &nothing, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      continue;
    }
    guards[index].length = length;
    guards[index].closed = closed;
    __atomic_store_n(&guards[index].start, (uintptr_t)start, __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

void am_guard_remove(const void *start) {
  for (int index = 0; index < GUARDS; index++) {
    if (__atomic_load_n(&guards[index].start, __ATOMIC_ACQUIRE) == (uintptr_t)start) {
      __atomic_store_n(&guards[index].start, 0, __ATOMIC_RELEASE);
    }
  }
}

uint64_t am_guard_faults(void) { return __atomic_load_n(&faults, __ATOMIC_RELAXED); }

bool am_guard_mend(const void *address) {
  uintptr_t fault = (uintptr_t)address;
  for (int index = 0; index < GUARDS; index++) {
    uintptr_t start = __atomic_load_n(&guards[index].start, __ATOMIC_ACQUIRE);
    if (start <= 1 || fault < start || fault - start >= guards[index].length) continue;
    uintptr_t page = (uintptr_t)getpagesize();
    void *target = (void *)(fault & ~(page - 1));
    if (mmap(target, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != target) return false;
    if (guards[index].closed) __atomic_store_n(guards[index].closed, AM_LOSS_DISK_FULL, __ATOMIC_RELEASE);
    uint64_t count = __atomic_add_fetch(&faults, 1, __ATOMIC_RELAXED);
    if (am_lane_is_open()) __atomic_store_n(&am_lane()->mapping_faults, count, __ATOMIC_RELAXED);
    return true;
  }
  return false;
}
