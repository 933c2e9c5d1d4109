#import "AMMethodObservation.h"
#import "AMBarrierFailure+Catching.h"
#import "AMMethodExchange.h"
#import "AMRuntime.h"
#include <pthread.h>
#include <string.h>

/// Held while anything below changes, and while the block is taken; never while it runs.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// The one method of a shape that is observed.
struct observed {
  Class type;
  SEL selector;
  /// Never forgotten: somebody who replaced ours may call it for ever.
  IMP original;
  /// Whether ours is in the method's place, or under somebody else's.
  BOOL isInstalled;
};
static struct observed object;
static struct observed flag;
/// Nil: ours only passes on.
static AMObjectObserver objectObserver;
static AMFlagObserver flagObserver;

// GNUstep's blocks are no objects, and are counted by hand. The two shapes differ in their type only.
#if __has_feature(objc_arc)
#define KEPT(block) [(block) copy]
#define LET_GO(block) ((void)(block))
#else
#include <Block.h>
#define KEPT(block) ((block) == NULL ? NULL : Block_copy(block))
#define LET_GO(block) ((block) == NULL ? (void)0 : Block_release(block))
#endif

/// What `IMP` is differs between the runtimes; every function can be cast by way of this.
#define FUNCTION(function) ((void (*)(void))(function))

/// The observer is called, the original comes after it, whatever happened.
#define TELL(observer, ...)                                                     \
  if (observer != NULL) {                                                       \
    @try {                                                                      \
      observer(__VA_ARGS__);                                                    \
    } @catch (id thrown) {                                                      \
      [AMBarrierFailure caught:thrown at:NSStringFromSelector(selector)];       \
    }                                                                           \
    AM_CATCH_FOREIGN([AMBarrierFailure caught:nil at:NSStringFromSelector(selector)]) \
    LET_GO(observer);                                                           \
  }

static void objectMethod(id receiver, SEL selector, id argument) {
  pthread_mutex_lock(&lock);
  IMP original = object.original;
  AMObjectObserver observer = KEPT(objectObserver);
  pthread_mutex_unlock(&lock);
  TELL(observer, receiver, argument)
  if (original != NULL) ((void (*)(id, SEL, id))FUNCTION(original))(receiver, selector, argument);
}

static void flagMethod(id receiver, SEL selector, BOOL argument) {
  pthread_mutex_lock(&lock);
  IMP original = flag.original;
  AMFlagObserver observer = KEPT(flagObserver);
  pthread_mutex_unlock(&lock);
  TELL(observer, receiver, argument)
  if (original != NULL) ((void (*)(id, SEL, BOOL))FUNCTION(original))(receiver, selector, argument);
}

/// Whether a method returns nothing and takes one argument of this type.
static BOOL takes(Class type, SEL selector, const char *argument) {
  Method method = class_getInstanceMethod(type, selector);
  if (method == NULL || method_getNumberOfArguments(method) != 3) return NO;
  // The runtimes differ in what follows the first letter.
  char result[8] = "";
  char taken[8] = "";
  method_getReturnType(method, result, sizeof result);
  method_getArgumentType(method, 2, taken, sizeof taken);
  return result[0] == 'v' && taken[0] == argument[0];
}

/// Puts ours in the method's place. Under the lock.
static BOOL install(struct observed *slot, Class type, SEL selector, IMP implementation, const char *argument) {
  if (type == Nil || selector == NULL || !takes(type, selector, argument)) return NO;
  BOOL isSame = slot->type == type && slot->selector != NULL && sel_isEqual(slot->selector, selector);
  if (isSame && slot->isInstalled) return YES;
  if (!isSame && slot->type != Nil) return NO;
  IMP present = class_getMethodImplementation(type, selector);
  // Ours is there, or somebody else's, which may call ours: replaced again, ours would call itself.
  BOOL isBelow = isSame && slot->original != NULL && present != slot->original;
  if (!isBelow && !AMReplaceMethod(type, selector, implementation, &slot->original)) return NO;
  slot->type = type;
  slot->selector = selector;
  slot->isInstalled = YES;
  return YES;
}

BOOL AMObserveObjectMethod(Class type, SEL selector, AMObjectObserver observer) {
  AMObjectObserver before = NULL;
  pthread_mutex_lock(&lock);
  BOOL done = install(&object, type, selector, (IMP)FUNCTION(objectMethod), @encode(id));
  if (done) {
    before = objectObserver;
    objectObserver = KEPT(observer);
  }
  pthread_mutex_unlock(&lock);
  LET_GO(before);
  return done;
}

BOOL AMObserveFlagMethod(Class type, SEL selector, AMFlagObserver observer) {
  AMFlagObserver before = NULL;
  pthread_mutex_lock(&lock);
  BOOL done = install(&flag, type, selector, (IMP)FUNCTION(flagMethod), @encode(BOOL));
  if (done) {
    before = flagObserver;
    flagObserver = KEPT(observer);
  }
  pthread_mutex_unlock(&lock);
  LET_GO(before);
  return done;
}

/// Whether the slot holds this method. Under the lock.
static BOOL uninstall(struct observed *slot, Class type, SEL selector, IMP implementation) {
  if (!slot->isInstalled || slot->type != type || selector == NULL || !sel_isEqual(slot->selector, selector)) return NO;
  Method method = class_getInstanceMethod(type, selector);
  if (method != NULL && method_getImplementation(method) == implementation) {
    method_setImplementation(method, slot->original);
    slot->type = Nil;
  }
  slot->isInstalled = NO;
  return YES;
}

void AMStopObservingMethod(Class type, SEL selector) {
  AMObjectObserver ofObjects = NULL;
  AMFlagObserver ofFlags = NULL;
  pthread_mutex_lock(&lock);
  if (uninstall(&object, type, selector, (IMP)FUNCTION(objectMethod))) {
    ofObjects = objectObserver;
    objectObserver = NULL;
  }
  if (uninstall(&flag, type, selector, (IMP)FUNCTION(flagMethod))) {
    ofFlags = flagObserver;
    flagObserver = NULL;
  }
  pthread_mutex_unlock(&lock);
  LET_GO(ofObjects);
  LET_GO(ofFlags);
}
