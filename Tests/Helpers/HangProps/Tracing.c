#include "HangProps.h"

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

void allow_debugger(void) { prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); }

bool attach_debugger(pid_t process) { return ptrace(PTRACE_SEIZE, process, 0, 0) == 0; }

bool detach_debugger(pid_t process) {
  // Only a process that is stopped can be let go.
  if (ptrace(PTRACE_INTERRUPT, process, 0, 0) != 0) return false;
  int status;
  while (waitpid(process, &status, __WALL) == process && !WIFSTOPPED(status)) {
  }
  return ptrace(PTRACE_DETACH, process, 0, 0) == 0;
}
#else
void allow_debugger(void) {}
bool attach_debugger(pid_t process) { return process < 0; }
bool detach_debugger(pid_t process) { return process < 0; }
#endif
