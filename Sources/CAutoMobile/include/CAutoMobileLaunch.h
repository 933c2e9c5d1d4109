// When the program's code began to run.
#ifndef C_AUTOMOBILE_LAUNCH_H
#define C_AUTOMOBILE_LAUNCH_H

#include <stdint.h>

/// When the loader had this code in memory and was about to call `main`, in milliseconds on the clock that goes on
/// while the device sleeps. 0 when that is not known.
uint64_t am_launch_loaded_ms(void);

/// Whether the system made the process before anybody had asked for it (`ActivePrewarm`, iOS 15). It takes the
/// variable away soon, so it is looked at when the code is loaded.
int am_launch_is_prewarmed(void);

#endif
