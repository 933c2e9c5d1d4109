// What the functions on pixels share.
#ifndef PIXELS_H
#define PIXELS_H

#include <stddef.h>

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

#endif
