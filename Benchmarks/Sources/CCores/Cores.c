#define _GNU_SOURCE
#include "CCores.h"

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
