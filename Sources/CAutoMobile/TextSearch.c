#include "CAutoMobileTextSearch.h"

#include <stdbool.h>

/// How many places are looked at in one go. The compiler makes a few vector instructions of the loop over them.
#define BLOCK 64

static inline uint8_t fold(uint8_t byte) { return (uint8_t)(byte + (((uint8_t)(byte - 'A') < 26) << 5)); }

static bool stands_at(const uint8_t *text, const uint8_t *needle, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (fold(text[i]) != needle[i]) return false;
  }
  return true;
}

ptrdiff_t am_find_folded(const uint8_t *text, size_t length, const uint8_t *needle, size_t needle_length) {
  if (needle_length == 0) return 0;
  if (text == NULL || needle == NULL || needle_length > length) return -1;
  // Places where both ends are right are few, and only those are looked at byte by byte.
  const uint8_t first = needle[0], last = needle[needle_length - 1];
  const uint8_t *ends = text + needle_length - 1;
  const size_t places = length - needle_length + 1;
  size_t at = 0;
  for (; places - at >= BLOCK; at += BLOCK) {
    uint8_t any = 0;
    for (size_t i = 0; i < BLOCK; i++) {
      int isFirst = fold(text[at + i]) == first, isLast = fold(ends[at + i]) == last;
      any |= (uint8_t)(isFirst & isLast);
    }
    if (!any) continue;
    for (size_t i = 0; i < BLOCK; i++) {
      if (fold(text[at + i]) == first && stands_at(text + at + i, needle, needle_length)) return (ptrdiff_t)(at + i);
    }
  }
  for (; at < places; at++) {
    if (fold(text[at]) == first && stands_at(text + at, needle, needle_length)) return (ptrdiff_t)at;
  }
  return -1;
}
