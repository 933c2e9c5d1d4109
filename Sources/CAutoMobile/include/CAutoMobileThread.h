#ifndef C_AUTOMOBILE_THREAD_H
#define C_AUTOMOBILE_THREAD_H

#include <stddef.h>

/// Starts a thread for work in the background, of utility quality of service where there is such a thing. It runs `body` once
/// and is gone.
///
/// Foundation's thread is an object with a dictionary, whose types a process that starts has not made yet.
///
/// - Parameters:
///   - name: is copied; Linux shows 15 characters of it.
///   - stack: of how many bytes.
/// - Returns: 0 or an `errno`; then there is no thread.
int am_thread_start(
    const char *_Nonnull name, size_t stack, void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

#endif
