#import "Harness.h"
#import "Thrower.h"
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

#define MEASURE(name, count, statement)                                               \
  do {                                                                                \
    double best = 1e18;                                                               \
    for (int round = 0; round < 5; round++) {                                         \
      @autoreleasepool {                                                              \
        double start = now();                                                         \
        for (int index = 0; index < count; index++) statement;                        \
        double each = (now() - start) / count;                                        \
        if (each < best) best = each;                                                 \
      }                                                                               \
    }                                                                                 \
    printf("%-56s %8.0f ns\n", name, best);                                           \
  } while (0)

static void nothing(void *context) { __asm__ volatile("" ::: "memory"); }
static void throwOnce(void *context) { [NSException raise:@"X" format:@"y"]; }

void measure(void) {
  AMErrorBarrierSetHandler(NULL);
  Thrower *target = [[Thrower alloc] init];
  Thrower *barrier = [(Thrower *)[AMErrorBarrier barrierWithTarget:target] retain];
  MEASURE("a call of the method itself", 1000000, [target integer]);
  MEASURE("the same through the barrier", 50000, [barrier integer]);
  MEASURE("AMErrorBarrierCall around an empty function", 1000000, AMErrorBarrierCall("x", nothing, NULL));
  MEASURE("AMErrorBarrierRun around an empty block", 1000000, AMErrorBarrierRun("x", ^{ nothing(NULL); }));
  MEASURE("an exception caught by AMErrorBarrierCall", 2000, AMErrorBarrierCall("x", throwOnce, NULL));
}
