#include "CAutoMobileJournal.h"

#include <pthread.h>
#include <string.h>

#include "CAutoMobileAtomics.h"
#include "CAutoMobileCRC32C.h"
#include "JournalChunk.h"
#include "JournalRecord.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The journal's files are little endian; so far the writer is, too."
#endif

#ifdef AM_JOURNAL_HOOKS
void (*am_journal_hook)(int stage);
bool am_journal_set_hook(void (*next)(int stage)) {
  am_journal_hook = next;
  return true;
}
bool am_journal_crowd(const struct am_journal *journal) {
  history_in(journal)->crowded = CROWDED_MOST;
  return true;
}
#else
bool am_journal_crowd(const struct am_journal *journal) { return journal == NULL; }
bool am_journal_set_hook(void (*next)(int stage)) { return next == NULL; }
#endif

// MARK: Counting

static inline void add_recorded(uint8_t *ledger, uint64_t count) {
  _Static_assert(AM_LEDGER_STRIPE_COUNT == AM_JOURNAL_LANES, "a lane has a stripe of its own");
  am_fetch_add_u64((uint64_t *)(ledger + AM_LEDGER_STRIPES + this_lane() * AM_LEDGER_STRIPE_SIZE), count);
}

static uint64_t loss_word(uint64_t count, uint32_t reason) {
  uint64_t head[2] = {count, reason};
  return count << 24 | (count ? am_crc32c(0, head, sizeof head) & 0xFFFFFF : 0);
}

bool am_loss_value(uint64_t word, uint32_t reason, uint64_t *count) {
  *count = word >> 24;
  if (loss_word(*count, reason) == word) return true;
  *count = 0;
  return false;
}

static void add_loss(uint8_t *ledger, uint32_t reason, uint64_t count) {
  uint64_t *counter = (uint64_t *)(ledger + AM_LEDGER_LOSSES) + reason;
  uint64_t old, sum;
  do {
    old = am_load_relaxed_u64(counter);
    am_loss_value(old, reason, &sum);
    sum += count;
    if (sum >> 40) sum = ((uint64_t)1 << 40) - 1;
  } while (!am_compare_exchange_u64(counter, old, loss_word(sum, reason)));
}

// The loss first: a process that dies in between has recorded at least as much as it lost.
void am_journal_count_loss(struct am_journal *journal, uint32_t reason, uint64_t count) {
  uint8_t *ledger = ledger_of(journal);
  add_loss(ledger, reason, count);
  add_recorded(ledger, count);
}

static int64_t lose(struct am_journal *journal, uint32_t kind, uint32_t reason) {
  if (journal->counted >> kind & 1) am_journal_count_loss(journal, reason, 1);
  return AM_POSITION_NONE;
}

// MARK: Forks

static uint32_t generation;
static void enter_child(void) { __atomic_fetch_add(&generation, 1, __ATOMIC_RELAXED); }
static void watch_forks(void) { pthread_atfork(NULL, NULL, enter_child); }

uint32_t am_process_generation(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  return am_load_relaxed_u32(&generation);
}

// MARK: Rolling

bool am_journal_set_preamble(struct am_journal *journal, uint32_t kind, const void *payload, size_t length) {
  bool fits = length <= AM_PREAMBLE_MAXIMUM && AM_RECORD_HEADER + length <= journal->capacity / 2;
  uint32_t sequence = am_load_relaxed_u32(&journal->preamble_sequence);
  am_store_relaxed_u32(&journal->preamble_sequence, sequence + 1);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  uint64_t *target = journal->preamble;
  if (!fits || !target) length = 0;
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = 0;
    memcpy(&word, (const uint8_t *)payload + at, length - at < 8 ? length - at : 8);
    am_store_relaxed_u64(target + at / 8, word);
  }
  am_store_relaxed_u32(&journal->preamble_kind, kind);
  am_store_relaxed_u64(&journal->preamble_length, length);
  am_store_release_u32(&journal->preamble_sequence, sequence + 2);
  return fits;
}

// Whoever reserves across the end of a segment, and that is one thread, makes the rest a record of padding. Eight bytes
// are too little for one: they stay zero.
static void pad(struct am_journal *journal, const struct am_journal_slot *slot, uint64_t offset) {
  if (offset > journal->capacity - AM_RECORD_HEADER) return;
  uint8_t *record = slot->segment + AM_SEGMENT_RECORDS + offset;
  uint64_t length = journal->capacity - AM_RECORD_HEADER - offset;
  claim(record, PADDING, length);
  publish(
      journal, record, PADDING, am_load_relaxed_u64(&slot->base) + offset, record + AM_RECORD_HEADER, length);
}

// Repeats the preamble in the segment that begins. When somebody is replacing it meanwhile, what was reserved becomes
// padding, and nothing is missing: whoever replaces it appends it next, and that is in this segment or a later one.
static void append_preamble(struct am_journal *journal, uint64_t index) {
  uint32_t sequence = am_load_acquire_u32(&journal->preamble_sequence);
  uint32_t kind = am_load_relaxed_u32(&journal->preamble_kind);
  uint64_t length = am_load_relaxed_u64(&journal->preamble_length);
  if (sequence & 1 || length == 0) return;
  uint64_t stride = (AM_RECORD_HEADER + length + 7) & ~(uint64_t)7;
  if (length > AM_PREAMBLE_MAXIMUM || stride > journal->capacity) return;
  const struct am_journal_slot *slot = &journal->slots[index % AM_JOURNAL_SLOTS];
  uint64_t offset = am_load_relaxed_u64(cursor_of(slot->segment));
  // A segment that others have filled meanwhile is left alone, so that whoever crosses its end writes the padding.
  if (offset > journal->capacity - stride) return;
  offset = am_fetch_add_acquire_u64(cursor_of(slot->segment), stride);
  if (offset > journal->capacity - stride) {
    pad(journal, slot, offset);
    return;
  }
  uint8_t *record = slot->segment + AM_SEGMENT_RECORDS + offset;
  claim(record, PADDING, length);
  for (size_t at = 0; at < length; at += 8) {
    uint64_t word = am_load_relaxed_u64(journal->preamble + at / 8);
    memcpy(record + AM_RECORD_HEADER + at, &word, 8);
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  bool whole = am_load_relaxed_u32(&journal->preamble_sequence) == sequence;
  publish(journal, record, whole ? kind : PADDING, slot->base + offset, record + AM_RECORD_HEADER, length);
}

// Makes the next segment the current one, unless another thread has; false when there is none.
static bool advance(struct am_journal *journal, uint64_t index) {
  if (am_load_acquire_u64(&journal->ready) <= index) return am_load_acquire_u64(&journal->current) != index;
  if (am_compare_exchange_u64(&journal->current, index, index + 1)) {
    am_store_relaxed_u64((uint64_t *)(ledger_of(journal) + AM_LEDGER_LAST_SEGMENT), index + 1);
    append_preamble(journal, index + 1);
    if (journal->wake) journal->wake(journal->wake_context);
  }
  return true;
}

bool am_journal_roll(struct am_journal *journal) {
  uint64_t index = am_load_acquire_u64(&journal->current);
  if (am_load_acquire_u64(&journal->ready) <= index) return false;
  const struct am_journal_slot *slot = &journal->slots[index % AM_JOURNAL_SLOTS];
  pad(journal, slot, am_fetch_add_acquire_u64(cursor_of(slot->segment), journal->capacity + 8));
  return advance(journal, index);
}

// MARK: Appending

void am_journal_seal(struct am_journal *journal) {
  uint64_t seals = am_fetch_add_u64(&journal->seals, 1) + 1;
  for (uint64_t lane = 0; lane < AM_JOURNAL_LANES; lane++) {
    uint64_t word = am_exchange_u64(&journal->lanes[lane].word, closed_chunk(seals));
    if (is_open(word)) give_back(journal, word);
  }
}

static inline int64_t write_record(
    struct am_journal *journal, uint8_t *record, uint32_t kind, uint64_t position, const void *payload, size_t length,
    bool is_alone) {
  claim(record, kind, length);
  // Fetch the lines of the records after the next meanwhile: each atomic waits for all stores before it, and a store to a
  // line that is not in the cache is what an append would otherwise spend a third of its time on.
  for (uint64_t ahead = 0; is_alone && ahead < 4; ahead++) {
    __builtin_prefetch(record + AM_RECORD_HEADER + length + 640 + ahead * 64, 1);
  }
  if (length) memcpy(record + AM_RECORD_HEADER, payload, length);
  publish(journal, record, kind, position, payload, length);
  if (journal->counted >> kind & 1) add_recorded(ledger_of(journal), 1);
  return (int64_t)position;
}

int64_t am_journal_append(struct am_journal *journal, uint32_t kind, const void *payload, size_t length) {
  kind &= 63;
  if (__builtin_expect(am_load_relaxed_u32(&generation) != journal->generation, 0)) return AM_POSITION_NONE;
  uint32_t closed = am_load_relaxed_u32(&journal->closed);
  if (__builtin_expect(closed, 0)) return lose(journal, kind, closed);
  const uint64_t capacity = journal->capacity;
  if (length > AM_RECORD_MAXIMUM_PAYLOAD) return lose(journal, kind, AM_LOSS_REJECTED);
  const uint64_t stride = (AM_RECORD_HEADER + length + 7) & ~(uint64_t)7;
  if (stride > capacity) return lose(journal, kind, AM_LOSS_REJECTED);
  struct am_history *history = history_in(journal);
  uint64_t *lane = &journal->lanes[this_lane()].word;

  for (;;) {
    uint64_t word = am_load_acquire_u64(lane);
    uint64_t position;
    uint8_t *record;
    if (__builtin_expect(is_open(word), 0) && chunk_position(journal, word) >= history->end) {
      if (!take(journal, lane, word, stride, &record)) continue;
      STAGE(AM_STAGE_RESERVED);
      position = chunk_position(journal, word);
      history->end = position + stride;
      return write_record(journal, record, kind, position, payload, length, false);
    }

    uint64_t index = am_load_acquire_u64(&journal->current);
    // This thread may sleep here while the slot is given to a later segment. That is harmless: the reservation is then
    // made in that one, whose base is in the slot since before it was mapped; and once it is made, the slot stays.
    const struct am_journal_slot *slot = &journal->slots[index % AM_JOURNAL_SLOTS];
    uint8_t *segment = slot->segment;
    const uint64_t room = is_open(word) ? stride : room_to_reserve(journal, history, stride);
    uint64_t offset = am_fetch_add_acquire_u64(cursor_of(segment), room);
    if (__builtin_expect(offset <= capacity - room, 1)) {
      STAGE(AM_STAGE_RESERVED);
      position = am_load_relaxed_u64(&slot->base) + offset;
      record = segment + AM_SEGMENT_RECORDS + offset;
      if (room > stride) open_chunk(journal, lane, word, position + stride, record + stride, room - stride);
      notice(history, position, position + room);
      history->end = position + stride;
      return write_record(journal, record, kind, position, payload, length, history->crowded == 0);
    }
    pad(journal, slot, offset);
    if (!advance(journal, index)) return lose(journal, kind, am_load_relaxed_u32(&journal->shortage));
  }
}
