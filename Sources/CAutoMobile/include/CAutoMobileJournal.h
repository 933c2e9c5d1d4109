// The journal's hot path: reserve, claim, copy, publish, count.
//
// In C, because it must neither allocate nor retain anything, and may run in a signal handler. Everything around it
// (files, budgets, the keeper that prepares segments) is Swift. See the article "Journal format".
#ifndef C_AUTOMOBILE_JOURNAL_H
#define C_AUTOMOBILE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// Addresses at which segments are mapped. Segment `i` is found at slot `i % AM_JOURNAL_SLOTS`.
  AM_JOURNAL_SLOTS = 8,
  /// Threads are spread over so many lanes.
  AM_JOURNAL_LANES = 16,
  /// A record's header, and the alignment of records.
  AM_RECORD_HEADER = 16,
  /// The longest payload, in bytes.
  AM_RECORD_MAXIMUM_PAYLOAD = 1 << 20,
  /// A segment file: what it is (128 bytes), the cursor on a cache line of its own, records.
  AM_SEGMENT_CURSOR = 128,
  AM_SEGMENT_RECORDS = 256,
  /// A ledger file: what it is, the writers' losses, two copies of the reader's account, the counts of records.
  AM_LEDGER_LOSSES = 256,
  AM_LEDGER_LAST_SEGMENT = 504,
  AM_LEDGER_ACCOUNTS = 512,
  AM_LEDGER_ACCOUNT_SIZE = 768,
  AM_LEDGER_STRIPES = 2048,
  AM_LEDGER_STRIPE_SIZE = 128,
  AM_LEDGER_STRIPE_COUNT = 16,
  AM_LEDGER_SIZE = 4096,
  /// The longest preamble that is repeated in every segment, in bytes.
  AM_PREAMBLE_MAXIMUM = 64 * 1024,
};

/// Why a record was lost, as an index into the ledger's losses. Swift's `LossReason` lists the rest.
enum { AM_LOSS_SHUTDOWN = 1, AM_LOSS_BUFFER_OVERFLOW = 3, AM_LOSS_DISK_FULL = 6, AM_LOSS_REJECTED = 7 };

struct am_journal_slot {
  /// A mapping of a whole segment file. The address stays mapped as long as the journal lives.
  uint8_t *_Nullable segment;
  /// The position of the segment's first record.
  uint64_t base;
};

/// Room that has been reserved for the next records of the threads that share this lane; see JournalChunk.h.
struct am_journal_lane {
  uint64_t word;
  uint8_t apart[120];
};

/// What all writers of one journal share. Aligned to 128 bytes by whoever allocates it; what is written while others
/// write stands apart from what is only read.
struct am_journal {
  /// The index of the segment that takes records. Only ever increases.
  uint64_t current;
  /// The index of the newest segment that is prepared: those from `current` to `ready` can be written.
  uint64_t ready;
  /// How often chunks have been given back; see am_journal_seal.
  uint64_t seals;
  uint8_t apart[104];
  /// What threads have reserved ahead of their next records.
  struct am_journal_lane lanes[AM_JOURNAL_LANES];
  /// A mapped ledger. Atomic: it is replaced when its file is lost or becomes possible.
  void *_Nonnull ledger;
  /// Bytes for records in each segment.
  uint64_t capacity;
  /// Bit k: records of kind k are counted.
  uint64_t counted;
  /// The checksum's beginning: that of the launch id.
  uint32_t seed;
  /// Not 0: closed, and as what records are lost: AM_LOSS_SHUTDOWN, or AM_LOSS_DISK_FULL after a fault in a segment.
  uint32_t closed;
  /// Why there may be no spare segment: AM_LOSS_BUFFER_OVERFLOW or AM_LOSS_DISK_FULL.
  uint32_t shortage;
  /// The process generation in which the journal was opened; see am_process_generation.
  uint32_t generation;
  /// Not 0: nobody reserves a chunk; see JournalOptions.isFollowed. Set before the first record.
  uint32_t followed;
  struct am_journal_slot slots[AM_JOURNAL_SLOTS];
  /// Called without allocating when a segment has been filled or no spare was found.
  void (*_Nullable wake)(void *_Nullable);
  void *_Nullable wake_context;
  /// The record that begins every segment: an odd sequence while it is written; kind and length; the payload.
  uint32_t preamble_sequence;
  uint32_t preamble_kind;
  uint64_t preamble_length;
  uint64_t *_Nullable preamble;
};

static inline struct am_journal_slot *_Nonnull am_journal_slot(struct am_journal *_Nonnull journal, uint64_t index) {
  return &journal->slots[index % AM_JOURNAL_SLOTS];
}

// What the writers read while the keeper changes it. In C, because Swift takes a field's address for changing all of it.

static inline uint64_t am_journal_current(const struct am_journal *_Nonnull journal) {
  return __atomic_load_n(&journal->current, __ATOMIC_ACQUIRE);
}
static inline uint64_t am_journal_ready(const struct am_journal *_Nonnull journal) {
  return __atomic_load_n(&journal->ready, __ATOMIC_ACQUIRE);
}
static inline void am_journal_set_ready(struct am_journal *_Nonnull journal, uint64_t index) {
  __atomic_store_n(&journal->ready, index, __ATOMIC_RELEASE);
}
static inline void am_journal_set_ledger(struct am_journal *_Nonnull journal, void *_Nonnull ledger) {
  __atomic_store_n(&journal->ledger, ledger, __ATOMIC_RELEASE);
}
static inline void am_journal_set_shortage(struct am_journal *_Nonnull journal, uint32_t reason) {
  __atomic_store_n(&journal->shortage, reason, __ATOMIC_RELAXED);
}
/// From here on records are lost as `reason`.
static inline void am_journal_close(struct am_journal *_Nonnull journal, uint32_t reason) {
  __atomic_store_n(&journal->closed, reason, __ATOMIC_RELEASE);
}
static inline uint32_t *_Nonnull am_journal_closed_word(struct am_journal *_Nonnull journal) {
  return &journal->closed;
}
static inline void am_journal_slot_set_base(struct am_journal_slot *_Nonnull slot, uint64_t base) {
  __atomic_store_n(&slot->base, base, __ATOMIC_RELEASE);
}

enum { AM_POSITION_NONE = -1 };

/// Appends a record; returns its position, or AM_POSITION_NONE when it was dropped (and counted, if its kind is).
/// Any thread, also in a signal handler. Never waits, never allocates.
int64_t am_journal_append(
    struct am_journal *_Nonnull journal, uint32_t kind, const void *_Nullable payload, size_t length);

/// Gives back what threads have reserved and not used: after this, every position that was reserved before is published,
/// or will be by a call that is under way, and whoever appends from now on gets a later one. Any thread.
void am_journal_seal(struct am_journal *_Nonnull journal);

/// Leaves the current segment for the next, as if it were full. False when there is no next.
bool am_journal_roll(struct am_journal *_Nonnull journal);

/// Replaces the preamble. One thread at a time. False when it is too long to be repeated.
bool am_journal_set_preamble(
    struct am_journal *_Nonnull journal, uint32_t kind, const void *_Nullable payload, size_t length);

/// Counts calls that recorded nothing, and why.
void am_journal_count_loss(struct am_journal *_Nonnull journal, uint32_t reason, uint64_t count);

/// A loss counter carries its own check, so that a damaged one is not believed: 40 bits of count, 24 bits of CRC.
/// Returns false, and 0, when it is damaged.
bool am_loss_value(uint64_t word, uint32_t reason, uint64_t *_Nonnull count);

/// A number that changes in the child of a fork: a journal that was opened before does not record there.
uint32_t am_process_generation(void);

/// For tests: what is called after each step of an append. False where it is compiled out, as in release builds.
enum { AM_STAGE_RESERVED = 1, AM_STAGE_CLAIMED = 2, AM_STAGE_COPIED = 3, AM_STAGE_PUBLISHED = 4 };
bool am_journal_set_hook(void (*_Nullable hook)(int stage));

/// For tests: makes the calling thread believe that others record at the same time. False in release builds.
bool am_journal_crowd(const struct am_journal *_Nonnull journal);

#endif
