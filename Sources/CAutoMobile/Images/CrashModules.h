// What a report says besides stacks. Async-signal-safe, but for the preparing.
#ifndef CRASH_MODULES_H
#define CRASH_MODULES_H

/// Finds where the C library keeps its last words. Not in a signal handler.
void am_modules_prepare(void);

/// Writes what the C library, or Apple's Swift runtime, said before it ended the process.
void am_modules_write_message(void);

/// Writes the images that were loaded since the list was brought up to date, as far as the kernel knows them.
void am_modules_write_unknown(void);

#endif
