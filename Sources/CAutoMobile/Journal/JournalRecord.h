// How a record is put into a place that has been reserved for it.
#ifndef C_AUTOMOBILE_JOURNAL_RECORD_H
#define C_AUTOMOBILE_JOURNAL_RECORD_H

#include <stdint.h>
#include <string.h>

#include "CAutoMobileAtomics.h"
#include "CAutoMobileCRC32C.h"
#include "CAutoMobileJournal.h"

#ifdef AM_JOURNAL_HOOKS
extern void (*am_journal_hook)(int stage);
#define STAGE(stage) \
  if (__builtin_expect(am_journal_hook != NULL, 0)) am_journal_hook(stage)
#else
#define STAGE(stage)
#endif

enum { CLAIMED = 1, PUBLISHED = 3, PADDING = 63 };

static inline uint32_t word_of(uint32_t state, uint32_t kind, uint64_t length) {
  return state << 30 | kind << 24 | (uint32_t)length;
}

static inline uint8_t *ledger_of(const struct am_journal *journal) {
  return am_load_acquire_pointer(&journal->ledger);
}

static inline uint64_t *cursor_of(uint8_t *segment) { return (uint64_t *)(segment + AM_SEGMENT_CURSOR); }

// A new length is visible before anything else of the record, the state only after everything else.
static inline void claim(uint8_t *record, uint32_t kind, uint64_t length) {
  am_store_release_u32((uint32_t *)record, word_of(CLAIMED, kind, length));
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  STAGE(AM_STAGE_CLAIMED);
}

/// `payload` has been copied into the record, or is what lies there. Of the two, the checksum is made of the one that has
/// been in memory for longer: bytes that have just been copied in wide pieces cannot be read in narrow ones at once.
static inline void publish(
    const struct am_journal *journal, uint8_t *record, uint32_t kind, uint64_t position, const void *payload,
    uint64_t length) {
  uint32_t word = word_of(PUBLISHED, kind, length);
  uint32_t crc = am_crc32c_record(journal->seed, position, word, payload, length);
  memcpy(record + 4, &crc, sizeof crc);
  memcpy(record + 8, &position, sizeof position);
  STAGE(AM_STAGE_COPIED);
  am_store_release_u32((uint32_t *)record, word);
  STAGE(AM_STAGE_PUBLISHED);
}

#endif
