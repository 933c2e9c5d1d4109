#include "CAutoMobileCrash.h"

#if !defined(__APPLE__)

bool am_crash_mach_enable(void) { return false; }
void am_crash_mach_disable(void) {}

#endif
