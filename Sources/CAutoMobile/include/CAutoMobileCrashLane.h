// The crash lane: the file of one launch that its crash handler writes and the next launch reads.
//
// Made, allocated and touched right after the app has started, so that the handler makes no file and waits for no block.
// Integers are little endian. Whatever was published stays readable wherever the handler itself may die. See the article
// "Crash lane".
#ifndef C_AUTOMOBILE_CRASH_LANE_H
#define C_AUTOMOBILE_CRASH_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "CAutoMobileStack.h"

enum {
  /// The file: a header, the images of the process, the report.
  AM_LANE_IMAGES = 4096,
  AM_LANE_IMAGES_SIZE = 192 * 1024,
  AM_LANE_REPORT = AM_LANE_IMAGES + AM_LANE_IMAGES_SIZE,
  AM_LANE_SIZE = 1024 * 1024,
  AM_LANE_REPORT_SIZE = AM_LANE_SIZE - AM_LANE_REPORT,
};

enum { AM_ARCHITECTURE_X86_64 = 1, AM_ARCHITECTURE_ARM64 = 2 };

/// How far the handler came. Anything but idle and survived is a report.
enum {
  /// Nothing happened.
  AM_LANE_IDLE = 0,
  /// The handler has begun.
  AM_LANE_ENTERED = 1,
  /// The thread that crashed is written.
  AM_LANE_CRASHED_THREAD = 2,
  /// The other threads are written.
  AM_LANE_ALL_THREADS = 3,
  /// Nothing more is to come but notes.
  AM_LANE_COMPLETE = 4,
  /// A handler of the app's took care of the signal, and the process went on: no crash.
  AM_LANE_SURVIVED = 5,
};

/// The first bytes of the file.
struct am_lane_header {
  /// `AMCRASH1`.
  char magic[8];
  uint8_t launch[16];
  /// Names the boot of the machine; zeros when unknown.
  uint8_t boot[16];
  int64_t pid;
  /// A moment at which the process ran, as the journal's files give it; 0 when unknown.
  uint64_t process_since;
  /// When the lane was made, in milliseconds since 1970, and in nanoseconds of the monotonic clock.
  int64_t created;
  uint64_t created_monotonic;
  uint32_t architecture;
  uint32_t page_size;
  /// Of the file.
  uint32_t size;
  /// CRC-32C of the 84 bytes before.
  uint32_t checksum;
  /// The process's name, ended by a zero.
  char process[40];

  // What follows changes while the process lives.

  uint32_t stage;
  /// The screen that the app was on: 0 unknown, else the first or the second of `screens`.
  uint32_t screen;
  /// How many bytes of the report area are published.
  uint64_t report_end;
  /// How many bytes of the image area are published.
  uint64_t image_end;
  /// Images for which there was no room.
  uint64_t images_lost;
  /// Faults in the journal's mappings that were mended with anonymous memory.
  uint64_t mapping_faults;
  /// How often a later launch began to make a report of it, and whether that is done: for that launch alone.
  uint64_t attempts;
  uint64_t finished;
  /// When each stage from entered on was reached, in nanoseconds of the monotonic clock.
  uint64_t stage_times[4];
  uint64_t reserved[5];
  /// UTF-8, ended by a zero.
  char screens[2][256];
};

/// The state of an image.
enum { AM_IMAGE_LOADED = 1, AM_IMAGE_UNLOADED = 2 };

/// One image in the image area; the next begins `length` bytes later.
struct am_lane_image {
  /// Loaded or unloaded; 0 while the place is being used again.
  uint32_t state;
  /// Of all of this, a multiple of eight.
  uint32_t length;
  /// Where the image's first byte is loaded.
  uint64_t base;
  /// From there to the end of its last segment, in bytes.
  uint64_t size;
  /// What is added to the file's addresses.
  uint64_t slide;
  /// Build id, or UUID on Apple platforms.
  uint8_t id_length;
  uint8_t id[32];
  uint8_t is_executable;
  uint16_t path_length;
  uint32_t reserved;
  // The path follows, UTF-8, without a zero.
};

/// What sections there are.
enum {
  /// struct am_lane_signal. At most one.
  AM_SECTION_SIGNAL = 1,
  /// struct am_lane_exception. Stands before the signal that it led to.
  AM_SECTION_EXCEPTION = 2,
  /// Text: why the exception was thrown.
  AM_SECTION_REASON = 3,
  /// struct am_lane_thread. The one that crashed comes first.
  AM_SECTION_THREAD = 4,
  /// Text: something worth knowing about the report itself.
  AM_SECTION_NOTE = 5,
  /// struct am_lane_image: one that was loaded shortly before the crash.
  AM_SECTION_IMAGE = 6,
  /// Text: what the C library said when it ended the process.
  AM_SECTION_MESSAGE = 7,
  /// struct am_lane_mach: on Apple platforms, the exception that became the signal.
  AM_SECTION_MACH = 8,
};

/// Begins each section of the report; the next begins after `length` bytes, rounded up to a multiple of eight.
struct am_lane_section {
  uint32_t tag;
  /// Of the payload that follows, in bytes.
  uint32_t length;
};

struct am_lane_signal {
  int32_t number;
  int32_t code;
  /// The fault's address, for signals that have one.
  uint64_t address;
  uint64_t thread;
  /// Of the process that sent the signal; 0 when the signal was not sent.
  int64_t sender;
  /// Milliseconds since 1970, and nanoseconds of the monotonic clock.
  int64_t time;
  uint64_t monotonic;
};

enum { AM_EXCEPTION_CPP = 1, AM_EXCEPTION_OBJECTIVE_C = 2 };

struct am_lane_exception {
  uint32_t language;
  /// The type's name, mangled as the language does it, follows the addresses.
  uint32_t type_length;
  uint64_t thread;
  int64_t time;
  /// Return addresses of where it was thrown, innermost first: they follow. Without any, the thread's stack tells.
  uint32_t address_count;
  uint32_t reserved;
};

struct am_lane_mach {
  int32_t exception;
  uint32_t code_count;
  int64_t codes[2];
};

enum {
  AM_THREAD_CRASHED = 1,
  AM_THREAD_MAIN = 2,
  /// Crashed, too, while the report was being written; its registers are those of its own crash.
  AM_THREAD_ALSO_CRASHED = 4,
  /// There were more frames than are given.
  AM_THREAD_FRAMES_TRUNCATED = 8,
  /// The stack goes on beyond the window.
  AM_THREAD_STACK_TRUNCATED = 16,
  /// The thread did not answer: what is known of it is known from outside.
  AM_THREAD_SILENT = 32,
};

struct am_lane_thread {
  uint64_t id;
  uint32_t flags;
  /// Return addresses found by frame pointers, innermost first, without the program counter: they follow.
  uint32_t frame_count;
  /// The address of the first byte of the window.
  uint64_t stack_start;
  /// The bytes of the stack that follow the frames, from the stack pointer (and the red zone before it) upwards.
  uint32_t stack_length;
  uint32_t reserved;
  /// Ended by a zero; empty when it has none.
  char name[64];
  struct am_registers registers;
};

_Static_assert(offsetof(struct am_lane_header, checksum) == 84, "the checksum covers what is before it");
_Static_assert(offsetof(struct am_lane_header, stage) == 128, "what changes begins on a line of its own");
_Static_assert(offsetof(struct am_lane_header, screens) == 256, "");
_Static_assert(sizeof(struct am_lane_header) == 768, "");
_Static_assert(sizeof(struct am_lane_image) == 72, "");
_Static_assert(sizeof(struct am_lane_signal) == 48, "");
_Static_assert(sizeof(struct am_lane_exception) == 32, "");
_Static_assert(sizeof(struct am_lane_thread) == 32 + 64 + 280, "");

#endif
