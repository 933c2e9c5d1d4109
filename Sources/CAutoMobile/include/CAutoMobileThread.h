#ifndef C_AUTOMOBILE_THREAD_H
#define C_AUTOMOBILE_THREAD_H

#include <stddef.h>

/// Who a thread of the SDK waits for, when there are more threads than cores.
enum am_thread_priority {
  /// For everybody: it works in the background. Of utility quality of service where there is such a thing.
  AM_THREAD_BACKGROUND,
  /// For the main thread: it goes before what usually keeps the cores busy. Of user-initiated quality of service.
  AM_THREAD_ATTENTIVE,
};

/// Starts a thread. It runs `body` once, as the SDK's own work, and is gone.
///
/// Foundation's thread is an object with a dictionary, whose types a process that starts has not made yet.
///
/// - Parameters:
///   - name: is copied; Linux shows 15 characters of it.
///   - stack: of how many bytes.
/// - Returns: 0 or an `errno`; then there is no thread.
int am_thread_start(
    const char *_Nonnull name, enum am_thread_priority priority, size_t stack,
    void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

#endif
