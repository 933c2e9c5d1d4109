#include "CAutoMobileDebugger.h"

#include <string.h>

bool am_status_is_traced(const char *status) {
  static const char name[] = "\nTracerPid:\t";
  const char *found = strstr(status, name);
  if (!found) return false;
  char first = found[sizeof name - 1];
  return first >= '1' && first <= '9';
}

#if defined(__APPLE__)
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>

bool am_is_debugged(void) {
  struct kinfo_proc info;
  memset(&info, 0, sizeof info);
  size_t size = sizeof info;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  return sysctl(name, 4, &info, &size, NULL, 0) == 0 && (info.kp_proc.p_flag & P_TRACED) != 0;
}
#else
#include <fcntl.h>
#include <unistd.h>

bool am_is_debugged(void) {
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  // The line is among the first ten.
  char status[1024];
  ssize_t count = read(file, status, sizeof status - 1);
  close(file);
  if (count <= 0) return false;
  status[count] = 0;
  return am_status_is_traced(status);
}
#endif
