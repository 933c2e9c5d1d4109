#ifndef CRASH_MODULES_MACH_H
#define CRASH_MODULES_MACH_H

#include <stddef.h>

/// An image has a section for what it says before it ends the process. Any thread, not in a signal handler.
void am_modules_add_last_words(const void *_Nonnull section, size_t length);

#endif
