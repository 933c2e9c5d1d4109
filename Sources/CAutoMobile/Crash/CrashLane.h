// Writing the lane. Everything here is async-signal-safe, and called by one thread at a time.
#ifndef CRASH_LANE_H
#define CRASH_LANE_H

#include "CAutoMobileClock.h"
#include "CAutoMobileCrash.h"
#include "CAutoMobileCrashLane.h"

/// The mapping; nil when there is none. The address stays the same for every lane of the process.
struct am_lane_header *_Nullable am_lane(void);

/// Whether there is a lane, and it is this process's: not in the child of a fork.
bool am_lane_is_open(void);

/// As above, after making the lane when it has only been planned.
bool am_lane_ensure(void);

/// Forgets what a report has written until now.
void am_lane_clear(void);

void am_lane_set_stage(uint32_t stage);

/// Writes down the screen that was navigated to last, unless the app has said better.
void am_lane_note_screen(void);

/// Where the payload of the next section goes; nil when there is no room for `length` bytes.
uint8_t *_Nullable am_lane_begin(size_t length);

/// Publishes the section that was begun.
void am_lane_end(uint32_t tag, size_t length);

/// What is left for sections, in bytes.
size_t am_lane_room(void);

/// A section of text; cut where there is no room.
void am_lane_text(uint32_t tag, const char *_Nonnull text);

/// A small builder of text, for notes.
struct am_text {
  char bytes[256];
  size_t length;
};
void am_text_add(struct am_text *_Nonnull text, const char *_Nonnull more);
void am_text_add_number(struct am_text *_Nonnull text, int64_t number);
void am_text_add_hex(struct am_text *_Nonnull text, uint64_t number);

#endif
