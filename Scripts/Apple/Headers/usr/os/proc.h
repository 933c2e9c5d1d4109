// Documentation: *os_proc_available_memory()*. iOS 13.0. Not on macOS.
#pragma once

#include <os/availability.h>
#include <stddef.h>

API_UNAVAILABLE(macos) API_AVAILABLE(ios(13.0), tvos(13.0), watchos(6.0))
extern size_t os_proc_available_memory(void);
