#include "StackWalk.h"

#include <string.h>

#include "../Memory/CheckedMemory.h"

// What a function may use below its stack pointer.
enum { RED_ZONE = 128 };

// No stack is longer; a frame pointer farther away than that is none.
static const uint64_t longest_stack = (uint64_t)1 << 30;

static uint64_t without_signature(uint64_t address) {
#if defined(__aarch64__)
  // Pointer authentication keeps its signature in the bits that no address of an app uses.
  return address & (((uint64_t)1 << 47) - 1);
#else
  return address;
#endif
}

size_t am_stack_copy(
    const struct am_registers *registers, uint8_t *target, size_t capacity, uint64_t *start, bool *truncated) {
  uint64_t sp = registers->values[AM_REGISTER_SP];
  uint64_t from = sp > RED_ZONE ? (sp - RED_ZONE) & ~(uint64_t)7 : 0;
  size_t length = from ? am_memory_read(from, target, capacity) : 0;
  if (length == 0) {
    // At the very end of a stack that overflowed, there is nothing below the stack pointer, and perhaps not there either:
    // the window then begins with the first page that can be read.
    from = sp & ~(uint64_t)7;
    for (int page = 0; page < 16 && length == 0; page++) {
      length = am_memory_read(from, target, capacity);
      if (length == 0) from = (from | 4095) + 1;
    }
  }
  *start = from;
  uint8_t beyond;
  *truncated = length == capacity && am_memory_read(from + length, &beyond, 1) == 1;
  return length;
}

static bool read_pair(uint64_t address, uint64_t start, const uint8_t *window, size_t length, uint64_t pair[2]) {
  if (address >= start && address - start <= length && length - (size_t)(address - start) >= 16) {
    memcpy(pair, window + (address - start), 16);
    return true;
  }
  return am_memory_read(address, pair, 16) == 16;
}

uint32_t am_stack_walk(
    const struct am_registers *registers, uint64_t start, const uint8_t *window, size_t length, uint64_t *frames,
    uint32_t limit, bool *truncated) {
  uint64_t fp = registers->values[AM_REGISTER_FP];
  uint64_t previous = registers->values[AM_REGISTER_SP];
  uint32_t count = 0;
  *truncated = false;
  while (registers->known >> AM_REGISTER_FP & 1) {
    // A frame lies above the one that it was called from; anything else is no frame, or a loop.
    if (fp % 8 != 0 || fp < previous || fp - previous > longest_stack) break;
    if (count > 0 && fp == previous) break;
    uint64_t pair[2];
    if (!read_pair(fp, start, window, length, pair)) break;
    uint64_t address = without_signature(pair[1]);
    if (address < 4096) break;
    if (count == limit) {
      *truncated = true;
      break;
    }
    frames[count++] = address;
    previous = fp;
    fp = without_signature(pair[0]);
  }
  return count;
}
