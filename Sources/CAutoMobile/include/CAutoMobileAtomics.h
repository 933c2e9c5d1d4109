// Atomic access to plain integers in shared memory.
//
// Swift's `Synchronization.Atomic` needs iOS 18, and the journal's words live in a mapped file, not in a Swift
// value. These inline functions compile to the single instruction that they name.
#ifndef C_AUTOMOBILE_ATOMICS_H
#define C_AUTOMOBILE_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

/// What was loaded before is not read again after, nor what follows read before.
static inline void am_fence_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

static inline uint32_t am_load_relaxed_u32(const uint32_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint32_t am_load_acquire_u32(const uint32_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void am_store_relaxed_u32(uint32_t *_Nonnull word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void am_store_release_u32(uint32_t *_Nonnull word, uint32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uint64_t am_load_relaxed_u64(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline uint64_t am_load_acquire_u64(const uint64_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline void am_store_relaxed_u64(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
static inline void am_store_release_u64(uint64_t *_Nonnull word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
/// Adds and returns the value from before.
static inline uint64_t am_fetch_add_u64(uint64_t *_Nonnull word, uint64_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}
/// Adds and returns the value from before; what follows is not read before.
static inline uint64_t am_fetch_add_acquire_u64(uint64_t *_Nonnull word, uint64_t value) {
  return __atomic_fetch_add(word, value, __ATOMIC_ACQUIRE);
}
/// Stores and returns the value from before.
static inline uint64_t am_exchange_u64(uint64_t *_Nonnull word, uint64_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}
static inline bool am_compare_exchange_u64(uint64_t *_Nonnull word, uint64_t expected, uint64_t desired) {
  return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static inline void *_Nullable am_load_acquire_pointer(void *_Nullable const *_Nonnull slot) {
  return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}
static inline void am_store_release_pointer(void *_Nullable *_Nonnull slot, void *_Nullable value) {
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
}

#endif
