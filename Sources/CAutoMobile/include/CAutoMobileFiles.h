// Files that are protected from the moment they exist. In C, because Swift does not import functions with variable arguments.
#ifndef C_AUTOMOBILE_FILES_H
#define C_AUTOMOBILE_FILES_H

#if defined(__APPLE__)
#include <fcntl.h>
#include <sys/types.h>

/// `open` for a file that may come into being here, with protection class C: readable from the first unlock on.
static inline int am_open_protected(const char *path, int flags, mode_t mode) {
  enum { UNTIL_FIRST_USER_AUTHENTICATION = 3, NO_FLAGS = 0 };
  return open_dprotected_np(path, flags, UNTIL_FIRST_USER_AUTHENTICATION, NO_FLAGS, (int)mode);
}
#endif

#endif
