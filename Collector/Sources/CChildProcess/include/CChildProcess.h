// Starts another program with pipes for its standard input and output.
#ifndef C_CHILD_PROCESS_H
#define C_CHILD_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include <stdint.h>

struct am_child {
  pid_t pid;
  /// What the program reads, and what it writes.
  int input, output;
};

/// Starts `executable`; it gets none of this process's other files, nor its signal mask.
///
/// `directory` may be NULL: this process's own. With `joins_errors` its errors come with its output, else they go nowhere.
/// Returns 0, or what went wrong as an errno.
int am_child_start(const char *_Nonnull executable, char *_Nullable const *_Nonnull arguments,
                   char *_Nullable const *_Nonnull environment, const char *_Nullable directory, bool joins_errors,
                   struct am_child *_Nonnull child);

/// Bounds what a child that has been started may take: bytes of memory of its own (files that it maps are none), and
/// seconds of computing. It writes no files, also no core. Returns 0, or an errno; where the system cannot do it, 0.
int am_child_limit(pid_t child, uint64_t memory, uint64_t seconds);

#endif
