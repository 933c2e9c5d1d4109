// What is prepared for a crash while the app lives. What then happens is in CrashHandler.c.
#ifndef C_AUTOMOBILE_CRASH_H
#define C_AUTOMOBILE_CRASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whose lane it is.
struct am_crash_identity {
  uint8_t launch[16];
  uint8_t boot[16];
  int64_t pid;
  uint64_t process_since;
  int64_t created;
  const char *_Nullable process;
};

/// Says what this launch's lane will be; from here on the handler makes it when it needs it. Touches no file: fast enough for
/// the caller of `initialize`. One thread at a time. A lane that was open before is left for the new one.
///
/// - Returns: 0 or an `errno`; then reports go nowhere.
int am_crash_lane_plan(const char *_Nonnull path, const struct am_crash_identity *_Nonnull identity);

/// Makes the lane that is planned; returns when it is there. For a thread in the background.
///
/// - Returns: 0 or an `errno`; then reports go nowhere.
int am_crash_lane_open(void);

/// Touches the lane's pages, so that the handler does not meet their first faults. For a thread in the background.
void am_crash_lane_touch(void);

/// Leaves the lane: from now on nothing is reported.
void am_crash_lane_close(void);

/// The name of the screen that the app is on, which the next launch is told; nil when that is the one that was navigated
/// to last. One thread at a time.
void am_crash_set_screen(const char *_Nullable screen);

/// Where the name of the screen that was navigated to last is found: its length in bytes, then these, at most 255.
void am_crash_set_navigated(const uint64_t *_Nullable words);

/// Brings the list of images up to date. Looks only at two counters of the loader when nothing was loaded or unloaded.
/// Not in a signal handler. Any thread.
void am_crash_images_refresh(void);

/// Bits of am_crash_signals_enable.
enum {
  AM_CRASH_ABRT = 1,
  AM_CRASH_SEGV = 2,
  AM_CRASH_BUS = 4,
  AM_CRASH_FPE = 8,
  AM_CRASH_ILL = 16,
  AM_CRASH_TRAP = 32,
};

/// Handles these signals, too. Handlers that are there are called in their turn. One thread at a time.
///
/// - Returns: the signals that are handled now.
uint32_t am_crash_signals_enable(uint32_t signals);

/// Gives the signals back, except where a handler was installed over ours: that stays, and ours passes on to the one
/// before. One thread at a time.
void am_crash_signals_disable(void);

/// Reports C++ exceptions that nobody catches, when there is a C++ runtime. One thread at a time.
bool am_crash_terminate_enable(void);
void am_crash_terminate_disable(void);

/// Reports an exception of another language that nobody catches, and the stacks of all threads. For the thread that threw
/// it, just before the process ends.
void am_crash_record_exception(
    uint32_t language, const char *_Nonnull type, const char *_Nullable reason, const uint64_t *_Nullable addresses,
    uint32_t count);

/// Gives the calling thread a stack of its own for signal handlers, unless it has one, so that an overflow of its
/// ordinary stack can be reported. It goes with the thread.
bool am_crash_prepare_thread(void);

/// Apple platforms: every thread that starts from now on is prepared as if it had called am_crash_prepare_thread.
void am_crash_prepare_threads_to_come(void);

/// Apple platforms: hears of what raises these signals through a Mach exception port, too, besides what it hears of already,
/// so that a fault on a thread without room for a signal handler is reported. Elsewhere false. One thread at a time.
bool am_crash_mach_enable(uint32_t signals);
void am_crash_mach_disable(void);

/// A fault in these bytes, of a shared mapping, is mended with anonymous memory, and `*closed` becomes AM_LOSS_DISK_FULL.
/// As long as SIGBUS is handled. False when there are too many.
bool am_guard_add(const void *_Nonnull start, size_t length, uint32_t *_Nullable closed);
void am_guard_remove(const void *_Nonnull start);

/// How many pages were mended.
uint64_t am_guard_faults(void);

/// Whether XNU on arm64 (its exception syndrome) or on x86_64 (the trap's number) went into the kernel for a fault of the
/// signal's kind: see CrashSignalOrigin.c.
bool am_signal_is_arm_fault(int number, uint32_t syndrome);
bool am_signal_is_intel_fault(int number, uint32_t trap);

/// For tests: called by the handler after each stage. False where it is compiled out, as in release builds.
bool am_crash_set_hook(void (*_Nullable hook)(uint32_t stage));

#endif
