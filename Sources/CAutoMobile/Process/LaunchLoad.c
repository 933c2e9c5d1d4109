#include "CAutoMobileLaunch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Written once, before `main`.
static uint64_t loaded;
static int isPrewarmed;

#if defined(__APPLE__)
#define CONTINUOUS_CLOCK CLOCK_MONOTONIC_RAW
#else
#define CONTINUOUS_CLOCK CLOCK_BOOTTIME
#endif

__attribute__((constructor)) static void noteLoad(void) {
  struct timespec now;
  if (clock_gettime(CONTINUOUS_CLOCK, &now) == 0) {
    loaded = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  }
  const char *prewarm = getenv("ActivePrewarm");
  isPrewarmed = prewarm != NULL && strcmp(prewarm, "1") == 0;
}

uint64_t am_launch_loaded_ms(void) { return loaded; }

int am_launch_is_prewarmed(void) { return isPrewarmed; }
