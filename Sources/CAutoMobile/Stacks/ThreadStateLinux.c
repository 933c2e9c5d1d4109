#if defined(__linux__)
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ThreadState.h"

// opendir allocates; the system call does not.
struct entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

uint32_t am_thread_list(am_thread_id *threads, uint32_t limit) {
  int directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return 0;
  uint32_t count = 0;
  _Alignas(8) char buffer[2048];
  long filled;
  while (count < limit && (filled = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0) {
    for (long at = 0; at < filled && count < limit;) {
      const struct entry *entry = (const struct entry *)(buffer + at);
      am_thread_id thread = 0;
      for (const char *digit = entry->name; *digit >= '0' && *digit <= '9'; digit++) {
        thread = thread * 10 + (am_thread_id)(*digit - '0');
      }
      if (thread) threads[count++] = thread;
      at += entry->length;
    }
  }
  close(directory);
  return count;
}

static size_t read_file(am_thread_id thread, const char *name, char *text, size_t capacity) {
  char path[64] = "/proc/self/task/";
  char digits[20];
  size_t count = 0, at = strlen(path);
  do {
    digits[count++] = (char)('0' + thread % 10);
    thread /= 10;
  } while (thread);
  while (count) path[at++] = digits[--count];
  for (; *name && at < sizeof path - 1; name++) path[at++] = *name;
  path[at] = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, capacity - 1);
  close(file);
  if (length < 0) length = 0;
  text[length] = 0;
  return (size_t)length;
}

void am_thread_name(am_thread_id thread, char *name, size_t capacity) {
  size_t length = read_file(thread, "/comm", name, capacity);
  if (length && name[length - 1] == '\n') length--;
  name[length] = 0;
}

static bool next_number(const char **text, uint64_t *number) {
  const char *p = *text;
  while (*p == ' ') p++;
  if (p[0] != '0' || p[1] != 'x') return false;
  *number = 0;
  for (p += 2; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++) {
    *number = *number << 4 | (uint64_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
  }
  *text = p;
  return true;
}

// The call's number, its six arguments, stack pointer, program counter; without arguments when it is no system call that
// the thread waits in; a word for a thread that runs.
bool am_thread_registers_outside(am_thread_id thread, struct am_registers *registers) {
  memset(registers, 0, sizeof *registers);
  char text[256];
  if (read_file(thread, "/syscall", text, sizeof text) == 0) return false;
  const char *p = text;
  while (*p == '-' || (*p >= '0' && *p <= '9')) p++;
  uint64_t numbers[8];
  int count = 0;
  while (count < 8 && next_number(&p, &numbers[count])) count++;
  if (count < 2) return false;
  registers->values[AM_REGISTER_SP] = numbers[count - 2];
  registers->values[AM_REGISTER_PC] = numbers[count - 1];
  registers->known = (uint64_t)1 << AM_REGISTER_SP | (uint64_t)1 << AM_REGISTER_PC;
  return numbers[count - 1] != 0;
}

#endif
