#import "Harness.h"

enum { MAXIMUM = 200 };
static struct {
  const char *sentence;
  void (*body)(void);
} tests[MAXIMUM];
static int testCount;
static int failedChecks;
static NSMutableArray<AMBarrierFailure *> *told;

void addTest(const char *sentence, void (*body)(void)) {
  if (testCount >= MAXIMUM) abort();
  tests[testCount].sentence = sentence;
  tests[testCount++].body = body;
}

void fail(const char *file, int line, const char *expression) {
  __atomic_fetch_add(&failedChecks, 1, __ATOMIC_RELAXED);
  printf("%s:%d: not so: %s\n", file, line, expression);
}

static void remember(AMBarrierFailure *failure) {
  @synchronized(told) {
    [told addObject:failure];
  }
}

NSArray<AMBarrierFailure *> *failures(void) {
  @synchronized(told) {
    return [NSArray arrayWithArray:told];
  }
}

int main(int argc, char **argv) {
  told = [[NSMutableArray alloc] init];
  if (argc > 1 && strcmp(argv[1], "--measure") == 0) {
    measure();
    return 0;
  }
  int failedTests = 0;
  for (int index = 0; index < testCount; index++) {
    @autoreleasepool {
      int before = failedChecks;
      [told removeAllObjects];
      AMErrorBarrierSetHandler(remember);
      tests[index].body();
      BOOL passed = failedChecks == before;
      if (!passed) failedTests++;
      printf("%s %s\n", passed ? "passed" : "FAILED", tests[index].sentence);
      fflush(stdout);
    }
  }
  printf("%d tests, %d failed\n", testCount, failedTests);
  return failedTests == 0 && testCount > 0 ? 0 : 1;
}
