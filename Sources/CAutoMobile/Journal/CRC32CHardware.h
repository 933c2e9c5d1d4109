// Whether the processor has an instruction for CRC-32C. It is asked once in a process.
#ifndef CRC32C_HARDWARE_H
#define CRC32C_HARDWARE_H

#include <stdbool.h>

enum { AM_CRC32C_UNKNOWN, AM_CRC32C_ABSENT, AM_CRC32C_PRESENT };

/// The answer; no other variable depends on it.
extern int am_crc32c_answer;

bool am_crc32c_ask_hardware(void);

/// Costs one load of a variable that never changes again.
static inline bool am_crc32c_has_hardware(void) {
  int answer = __atomic_load_n(&am_crc32c_answer, __ATOMIC_RELAXED);
  return __builtin_expect(answer == AM_CRC32C_PRESENT, true) || (answer == AM_CRC32C_UNKNOWN && am_crc32c_ask_hardware());
}

#ifdef AM_JOURNAL_HOOKS
/// For tests: where the instruction is pretended to be absent, executing it ends the process, as it does on a processor without it.
static inline void am_crc32c_execute(void) {
  if (__atomic_load_n(&am_crc32c_answer, __ATOMIC_RELAXED) == AM_CRC32C_ABSENT) __builtin_trap();
}
#else
static inline void am_crc32c_execute(void) {}
#endif

#endif
