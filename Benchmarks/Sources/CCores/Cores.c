#define _GNU_SOURCE
#include "CCores.h"

void meet(int *counter, int count) {
  __atomic_add_fetch(counter, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < count) {}
}

#ifdef __linux__
#include <sched.h>
#include <unistd.h>

void run_on_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core % sysconf(_SC_NPROCESSORS_ONLN), &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}
#else
void run_on_core(int core) { (void)core; }
#endif
