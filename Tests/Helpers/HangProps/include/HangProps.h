// What a program needs to hang with the allocator's lock, and to be held by a debugger.
#ifndef HANG_PROPS_H
#define HANG_PROPS_H

#include <stdbool.h>
#include <sys/types.h>

/// Whether the allocator can be held here: not with sanitizers, which bring their own.
bool allocator_can_be_held(void);
/// From now on every other thread that allocates or frees waits until `allocator_release`.
void allocator_hold(void);
void allocator_release(void);

/// Calls `body` while the loader holds the lock that guards its list of images.
void with_loader_lock(void (*_Nonnull body)(void));

/// Lets any process attach to this one as a debugger.
void allow_debugger(void);
/// Becomes the debugger of a process, without stopping it, until the calling thread ends.
bool attach_debugger(pid_t process);
bool detach_debugger(pid_t process);

#endif
