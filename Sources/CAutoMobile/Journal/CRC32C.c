#include "CAutoMobileCRC32C.h"

#include <string.h>

#include "CRC32CHardware.h"

// The reflected polynomial 0x82F63B78, by nibble: 64 bytes of table instead of 1 KB, for a path that only
// processors without the instruction take.
uint32_t am_crc32c_portable(uint32_t crc, const void *bytes, size_t length) {
  static const uint32_t nibble[16] = {
      0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
      0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
  const uint8_t *p = bytes;
  crc = ~crc;
  while (length--) {
    crc ^= *p++;
    crc = (crc >> 4) ^ nibble[crc & 15];
    crc = (crc >> 4) ^ nibble[crc & 15];
  }
  return ~crc;
}

#if defined(__x86_64__)

#include <nmmintrin.h>
#include <wmmintrin.h>

#include "CRC32CShifts.h"

#define CRC32C_HARDWARE __attribute__((target("sse4.2,crc32,pclmul")))

CRC32C_HARDWARE static inline uint64_t crc32c_carried(uint64_t state, uint32_t shift) {
  __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((int64_t)state), _mm_cvtsi32_si128((int32_t)shift), 0);
  return (uint64_t)_mm_cvtsi128_si64(product);
}

static inline uint64_t crc32c_word(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

CRC32C_HARDWARE static inline uint32_t crc32c_bytes(uint64_t state, const uint8_t *p, size_t left) {
  // The instruction takes three cycles, and a new one can begin in each: so a third of the bytes goes to each of three
  // checksums at once, which are then carried to where the next word is and added there. For less, carrying takes longer
  // than is saved.
  while (left >= 104) {
    size_t words = (left - 8) / 24;
    if (words > CRC32C_MOST_WORDS) words = CRC32C_MOST_WORDS;
    uint64_t second = 0, third = 0;
    const size_t part = words * 8;
    for (size_t at = 0; at < part; at += 8) {
      state = _mm_crc32_u64(state, crc32c_word(p + at));
      second = _mm_crc32_u64(second, crc32c_word(p + part + at));
      third = _mm_crc32_u64(third, crc32c_word(p + 2 * part + at));
    }
    const uint32_t *shifts = crc32c_shifts[words - 1];
    p += 3 * part;
    uint64_t carried = crc32c_carried(state, shifts[0]) ^ crc32c_carried(second, shifts[1]);
    state = _mm_crc32_u64(third, crc32c_word(p) ^ carried);
    p += 8;
    left -= 3 * part + 8;
  }
  for (; left >= 8; p += 8, left -= 8) state = _mm_crc32_u64(state, crc32c_word(p));
  uint32_t tail = (uint32_t)state;
  for (; left; p++, left--) tail = _mm_crc32_u8(tail, *p);
  return ~tail;
}

CRC32C_HARDWARE static uint32_t crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  am_crc32c_execute();
  return crc32c_bytes(~crc, bytes, length);
}

CRC32C_HARDWARE static uint32_t crc32c_record_hardware(
    uint32_t seed, uint64_t position, uint64_t word, const void *bytes, size_t length) {
  am_crc32c_execute();
  uint64_t state = _mm_crc32_u64(~seed, position);
  return crc32c_bytes(_mm_crc32_u64(state, word), bytes, length);
}

#elif defined(__aarch64__)

#include <arm_acle.h>

#define CRC32C_HARDWARE __attribute__((target("crc")))

CRC32C_HARDWARE static inline uint32_t crc32c_bytes(uint32_t state, const uint8_t *p, size_t left) {
  for (; left >= 8; p += 8, left -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    state = __crc32cd(state, word);
  }
  for (; left; p++, left--) state = __crc32cb(state, *p);
  return ~state;
}

CRC32C_HARDWARE static uint32_t crc32c_hardware(uint32_t crc, const void *bytes, size_t length) {
  am_crc32c_execute();
  return crc32c_bytes(~crc, bytes, length);
}

CRC32C_HARDWARE static uint32_t crc32c_record_hardware(
    uint32_t seed, uint64_t position, uint64_t word, const void *bytes, size_t length) {
  am_crc32c_execute();
  return crc32c_bytes(__crc32cd(__crc32cd(~seed, position), word), bytes, length);
}

#endif

uint32_t am_crc32c(uint32_t crc, const void *bytes, size_t length) {
  return am_crc32c_has_hardware() ? crc32c_hardware(crc, bytes, length) : am_crc32c_portable(crc, bytes, length);
}

uint32_t am_crc32c_record(uint32_t seed, uint64_t position, uint64_t word, const void *payload, size_t length) {
  // In one piece: a record's header is a third of its checksum's cost otherwise.
  if (am_crc32c_has_hardware()) return crc32c_record_hardware(seed, position, word, payload, length);
  const uint64_t head[2] = {position, word};
  return am_crc32c_portable(am_crc32c_portable(seed, head, sizeof head), payload, length);
}
