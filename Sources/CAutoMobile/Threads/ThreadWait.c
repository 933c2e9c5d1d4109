#if !defined(__APPLE__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CAutoMobileThreadWait.h"

#include <fcntl.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

// "1234 5678 9": on a core, ready and without one, how often it got one; the first two in nanoseconds.
int64_t am_schedstat_waited(const char *text) {
  int64_t numbers[2] = {0, 0};
  for (int index = 0; index < 2; index++) {
    bool has_digits = false;
    for (; *text >= '0' && *text <= '9'; text++) {
      if (__builtin_mul_overflow(numbers[index], 10, &numbers[index]) ||
          __builtin_add_overflow(numbers[index], *text - '0', &numbers[index])) {
        return -1;
      }
      has_digits = true;
    }
    if (!has_digits || (*text != ' ' && *text != '\n')) return -1;
    text++;
  }
  return numbers[1];
}

int64_t am_thread_waited(void) {
#if defined(__linux__)
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[96];
  ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  if (count <= 0) return -1;
  text[count] = 0;
  return am_schedstat_waited(text);
#else
  return -1;
#endif
}

int64_t am_process_ran(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
