// The threads of this process as the system sees them. All of it is async-signal-safe.
#ifndef THREAD_STATE_H
#define THREAD_STATE_H

#include "CAutoMobileStack.h"

/// Writes the threads' ids; returns how many there are, at most `limit`.
uint32_t am_thread_list(am_thread_id *_Nonnull threads, uint32_t limit);

/// Writes a thread's name, ended by a zero.
void am_thread_name(am_thread_id thread, char *_Nonnull name, size_t capacity);

/// The registers of a thread that does not run: all of them on Apple platforms, where it is suspended; on Linux program
/// counter and stack pointer of one that waits in the kernel.
bool am_thread_registers_outside(am_thread_id thread, struct am_registers *_Nonnull registers);

#endif
