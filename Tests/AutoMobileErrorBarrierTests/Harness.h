// A test is a sentence and a body; it fails by `CHECK`, and goes on.
#import <AutoMobileErrorBarrier.h>
#import <Foundation/Foundation.h>

void addTest(const char *sentence, void (*body)(void));
void fail(const char *file, int line, const char *expression);

#define JOIN_(left, right) left##right
#define JOIN(left, right) JOIN_(left, right)
#define TEST(sentence)                                                   \
  static void JOIN(test, __LINE__)(void);                                \
  __attribute__((constructor)) static void JOIN(add, __LINE__)(void) {   \
    addTest(sentence, JOIN(test, __LINE__));                             \
  }                                                                      \
  static void JOIN(test, __LINE__)(void)

#define CHECK(expression)                                     \
  do {                                                        \
    if (!(expression)) fail(__FILE__, __LINE__, #expression); \
  } while (0)

/// The failures that barriers have told of since the test began.
NSArray<AMBarrierFailure *> *failures(void);

/// For `make bench`.
void measure(void);
