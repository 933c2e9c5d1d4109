#include "CAutoMobileThreadTick.h"

static _Thread_local uint32_t ticks;

uint32_t am_thread_tick(void) { return ++ticks; }
