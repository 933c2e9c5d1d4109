// Room for several records at once, so that threads that record at the same time meet at the cursor less often.
//
// One atomic add on a shared cursor costs two threads more than the whole rest of an append. A thread that notices that
// others reserve in between its own records therefore reserves a chunk, and takes its next records from that. Threads that
// record alone, or only now and then, never do: their positions are in the order of time.
//
// The chunk stands in the thread's lane, one word that is changed by compare-and-swap only, so that a reader may give back
// what the thread has not used (am_journal_seal), and the thread notices. The last sixteen bytes of a chunk say "claimed,
// padding" until a record or a seal overwrites them: so whoever reads what a dead process left knows unused room from a
// call that never returned.
#ifndef C_AUTOMOBILE_JOURNAL_CHUNK_H
#define C_AUTOMOBILE_JOURNAL_CHUNK_H

#include <pthread.h>
#include <stdbool.h>

#include "JournalRecord.h"

enum {
  /// The size of a chunk, in bytes, in segments that have room for some.
  CHUNK = 8192,
  CHUNKS_IN_SEGMENT = 16,
  /// A thread reserves alone for a record that would take more than this part of a chunk.
  RECORDS_IN_CHUNK = 4,
  /// How crowded it has to be.
  CROWDED = 8,
  CROWDED_MOST = 16,
};

/// Which lane the calling thread is in.
static inline uint64_t this_lane(void) {
  _Static_assert(AM_JOURNAL_LANES == 16, "the lane is the top four bits");
  return (uint64_t)(uintptr_t)pthread_self() * 0x9E3779B97F4A7C15u >> 60;
}

// MARK: Whether it is crowded

/// What a thread remembers of its last append.
struct am_history {
  const struct am_journal *journal;
  /// The position after its last record: its next one must not come before that.
  uint64_t end;
  /// The position after what it reserved last.
  uint64_t reserved;
  /// When somebody else had last reserved in between.
  uint64_t crossed;
  uint32_t crowded;
};

static _Thread_local struct am_history history;

static inline struct am_history *history_in(const struct am_journal *journal) {
  if (__builtin_expect(history.journal != journal, 0)) {
    // What it recorded here before is not known any more: it must not go back to an open chunk.
    history = (struct am_history){.journal = journal, .end = UINT64_MAX};
  }
  return &history;
}

/// A clock that is cheap to read, and what is a short time on it: about 20 microseconds.
static inline uint64_t ticks(uint64_t *soon) {
#if defined(__x86_64__)
  *soon = 1 << 16;
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t now, frequency;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  *soon = frequency / 50000;
  return now;
#else
  *soon = 0;
  return 0;
#endif
}

/// Called with what has just been reserved.
static inline void notice(struct am_history *history, uint64_t from, uint64_t to) {
  if (__builtin_expect(from == history->reserved, 1)) {
    if (history->crowded) history->crowded--;
  } else {
    uint64_t soon;
    uint64_t now = ticks(&soon);
    if (now - history->crossed >= soon) {
      history->crowded = 0;
    } else if (history->crowded < CROWDED_MOST) {
      history->crowded += 2;
    }
    history->crossed = now;
  }
  history->reserved = to;
}

static inline uint64_t room_to_reserve(
    const struct am_journal *journal, const struct am_history *history, uint64_t stride) {
  if (__builtin_expect(history->crowded < CROWDED, 1) || journal->followed) return stride;
  uint64_t chunk = journal->capacity / CHUNKS_IN_SEGMENT & ~(uint64_t)7;
  if (chunk > CHUNK) chunk = CHUNK;
  return stride * RECORDS_IN_CHUNK > chunk ? stride : chunk;
}

// MARK: A lane's word

// Open: 1, segment (29 bits), where the room begins and ends in it (17 bits each, in units of eight bytes).
// Closed: 0, how often chunks had been given back. So a chunk that was reserved before a seal cannot be put here after it.

static inline bool is_open(uint64_t word) { return word >> 63; }
static inline uint64_t closed_chunk(uint64_t seals) { return seals & ~((uint64_t)1 << 63); }
static inline uint64_t chunk_segment(uint64_t word) { return word >> 34 & 0x1FFFFFFF; }
static inline uint64_t chunk_start(uint64_t word) { return (word >> 17 & 0x1FFFF) * 8; }
static inline uint64_t chunk_end(uint64_t word) { return (word & 0x1FFFF) * 8; }

static inline uint64_t open_word(uint64_t segment, uint64_t start, uint64_t end) {
  return (uint64_t)1 << 63 | segment << 34 | start / 8 << 17 | end / 8;
}

static inline uint64_t chunk_position(const struct am_journal *journal, uint64_t word) {
  return chunk_segment(word) * journal->capacity + chunk_start(word);
}

/// The segment cannot leave its slot: it is not complete as long as the chunk is not used up.
static inline uint8_t *chunk_record(const struct am_journal *journal, uint64_t word) {
  return journal->slots[chunk_segment(word) % AM_JOURNAL_SLOTS].segment + AM_SEGMENT_RECORDS + chunk_start(word);
}

/// Makes room that nobody else can take any more a record of padding.
static inline void fill(const struct am_journal *journal, uint8_t *record, uint64_t position, uint64_t room) {
  claim(record, PADDING, room - AM_RECORD_HEADER);
  publish(journal, record, PADDING, position, record + AM_RECORD_HEADER, room - AM_RECORD_HEADER);
}

static inline void give_back(const struct am_journal *journal, uint64_t word) {
  fill(journal, chunk_record(journal, word), chunk_position(journal, word), chunk_end(word) - chunk_start(word));
}

/// Takes `stride` bytes from the chunk in a lane; false when the lane has changed meanwhile, be it by this call, because
/// there is too little left.
static inline bool take(
    struct am_journal *journal, uint64_t *lane, uint64_t word, uint64_t stride, uint8_t **record) {
  uint64_t room = chunk_end(word) - chunk_start(word);
  uint64_t closed = closed_chunk(am_load_relaxed_u64(&journal->seals));
  // What is left must be able to hold a header, or be nothing.
  if (stride > room || room - stride == 8) {
    if (am_compare_exchange_u64(lane, word, closed)) give_back(journal, word);
    return false;
  }
  uint64_t rest = stride == room ? closed : open_word(chunk_segment(word), chunk_start(word) + stride, chunk_end(word));
  *record = chunk_record(journal, word);
  return am_compare_exchange_u64(lane, word, rest);
}

/// Offers what was reserved beyond a record to the lane, or gives it back.
static inline void open_chunk(
    struct am_journal *journal, uint64_t *lane, uint64_t before, uint64_t position, uint8_t *record, uint64_t room) {
  am_store_release_u32((uint32_t *)(record + room - AM_RECORD_HEADER), word_of(CLAIMED, PADDING, 0));
  uint64_t segment = position / journal->capacity;
  uint64_t start = position % journal->capacity;
  if (segment > 0x1FFFFFFF || !am_compare_exchange_u64(lane, before, open_word(segment, start, start + room))) {
    fill(journal, record, position, room);
  }
}

#endif
