// CRC-32C (Castagnoli), RFC 3720 appendix B.4: the checksum of a journal record.
#ifndef C_AUTOMOBILE_CRC32C_H
#define C_AUTOMOBILE_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Continues `crc` over `length` bytes; begin with 0. In hardware where the processor has the instruction.
uint32_t am_crc32c(uint32_t crc, const void *_Nullable bytes, size_t length);

/// The checksum of a record: `seed` is that of the launch id, continued over position, word and payload.
uint32_t am_crc32c_record(
    uint32_t seed, uint64_t position, uint64_t word, const void *_Nullable payload, size_t length);

/// ``am_crc32c`` in portable C; for tests and for processors without the instruction.
uint32_t am_crc32c_portable(uint32_t crc, const void *_Nullable bytes, size_t length);

/// For tests: from here on as on a processor without the instruction, or as on this one. False where it is compiled out, as in
/// release builds.
bool am_crc32c_pretend_absent(bool isAbsent);

#endif
