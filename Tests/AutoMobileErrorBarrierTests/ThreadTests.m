#import "Harness.h"
#import "Thrower.h"
#include <pthread.h>
#include <sched.h>

enum { THREADS = 16, CALLS = 2000 };

static id shared;
static int wrong;
static int answered;

static void *callShared(void *context) {
  @autoreleasepool {
    for (int index = 0; index < CALLS; index++) {
      @autoreleasepool {
        Large large = [(Thrower *)shared large];
        if (large.i.height != 8) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        if ([(NSString *)shared lastPathComponent] != nil) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        AMBarrierFailure *failure = AMErrorBarrierRun("thread", ^{
          [NSException raise:@"Thread" format:@"%d", index];
        });
        if ([[failure reason] intValue] != index) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
      }
    }
  }
  return NULL;
}

static void onThreads(void *(*body)(void *)) {
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; index++) pthread_create(&threads[index], NULL, body, NULL);
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
}

TEST("sixteen threads that throw through one barrier each get what is theirs") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  shared = [AMErrorBarrier barrierWithTarget:target];
  wrong = 0;
  AMErrorBarrierSetHandler(NULL);
  uint64_t before = AMErrorBarrierCaughtCount();
  onThreads(callShared);
  CHECK(wrong == 0);
  CHECK(AMErrorBarrierCaughtCount() == before + 2 * THREADS * CALLS);
}

static void *callUntilGone(void *context) {
  @autoreleasepool {
    for (int index = 0; index < CALLS; index++) {
      @autoreleasepool {
        int answer = [(Thrower *)shared integer];
        if (answer != -70000 && answer != 0) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&answered, 1, __ATOMIC_RELAXED);
      }
    }
  }
  return NULL;
}

static void *detachSoon(void *context) {
  // In the midst of the calls.
  while (__atomic_load_n(&answered, __ATOMIC_RELAXED) < CALLS) sched_yield();
  [(AMErrorBarrier *)context detachErrorBarrier];
  return NULL;
}

TEST("a barrier that lets go of its target while threads call it answers, or returns zero") {
  for (int round = 0; round < 5; round++) {
    @autoreleasepool {
      Thrower *target = [[Thrower alloc] init];
      AMErrorBarrier *barrier = [AMErrorBarrier barrierWithTarget:target];
      [target release];
      shared = barrier;
      wrong = 0;
      answered = 0;
      pthread_t thread;
      pthread_create(&thread, NULL, detachSoon, barrier);
      onThreads(callUntilGone);
      pthread_join(thread, NULL);
      CHECK(wrong == 0);
      CHECK([(Thrower *)barrier integer] == 0);
    }
  }
  CHECK([failures() count] == 0);
}
