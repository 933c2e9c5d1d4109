// Finding text in a lot of bytes, without regard to the case of ASCII letters.
#ifndef C_AUTOMOBILE_TEXT_SEARCH_H
#define C_AUTOMOBILE_TEXT_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Where `needle`, which is in lower case, first stands in `text`; -1 when it does not. An empty one stands at 0.
ptrdiff_t am_find_folded(
    const uint8_t *_Nullable text, size_t length, const uint8_t *_Nullable needle, size_t needle_length);

#endif
