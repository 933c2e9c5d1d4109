#import "AMGetterReplacement.h"
#import "AMMethodExchange.h"
#include <pthread.h>
#include <string.h>

// GNUstep's blocks are no objects, and are counted by hand.
#if __has_feature(objc_arc)
#define KEPT(block) [(block) copy]
#define LET_GO(block) ((void)(block))
#else
#include <Block.h>
#define KEPT(block) Block_copy(block)
#define LET_GO(block) ((block) == NULL ? (void)0 : Block_release(block))
#endif

/// Held while anything below changes, and while the block is taken; never while it runs.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Class replacedType;
static SEL replacedSelector;
/// Never forgotten: somebody who replaced ours may call it for ever.
static IMP original;
/// Nil: ours gives the object's own value.
static AMGetter current;
/// Whether ours is in the getter's place, or under somebody else's.
static BOOL isInstalled;
/// The block runs on this thread.
static _Thread_local BOOL isAsking;

static id replacedGetter(id object, SEL selector) {
  pthread_mutex_lock(&lock);
  IMP own = original;
  AMGetter getter = isAsking || current == NULL ? NULL : KEPT(current);
  pthread_mutex_unlock(&lock);
  id value = own == NULL ? nil : ((id(*)(id, SEL))own)(object, selector);
  if (getter == NULL) return value;
  isAsking = YES;
  value = getter(object, value);
  isAsking = NO;
  LET_GO(getter);
  return value;
}

static BOOL returnsObject(Class type, SEL getter) {
  Method method = class_getInstanceMethod(type, getter);
  const char *types = method == NULL ? NULL : method_getTypeEncoding(method);
  return types != NULL && types[0] == '@' && method_getNumberOfArguments(method) == 2;
}

/// What was used before is returned, to be let go without the lock.
static AMGetter use(AMGetter replacement) {
  AMGetter before = current;
  current = replacement == NULL ? NULL : KEPT(replacement);
  return before;
}

BOOL AMReplaceGetter(Class type, SEL getter, AMGetter replacement) {
  if (type == Nil || getter == NULL || !returnsObject(type, getter)) return NO;
  AMGetter before = NULL;
  pthread_mutex_lock(&lock);
  BOOL isSame = replacedType == type && replacedSelector != NULL && sel_isEqual(replacedSelector, getter);
  BOOL isFree = replacedType == Nil;
  BOOL done = isSame && isInstalled;
  if (!done && (isSame || isFree)) {
    done = AMReplaceMethod(type, getter, (IMP)replacedGetter, &original);
  }
  if (done) {
    replacedType = type;
    replacedSelector = getter;
    isInstalled = YES;
    before = use(replacement);
  }
  pthread_mutex_unlock(&lock);
  LET_GO(before);
  return done;
}

void AMRestoreGetter(Class type, SEL getter) {
  AMGetter before = NULL;
  pthread_mutex_lock(&lock);
  if (isInstalled && replacedType == type && sel_isEqual(replacedSelector, getter)) {
    before = use(NULL);
    Method method = class_getInstanceMethod(type, getter);
    if (method != NULL && method_getImplementation(method) == (IMP)replacedGetter) {
      method_setImplementation(method, original);
      isInstalled = NO;
    }
  }
  pthread_mutex_unlock(&lock);
  LET_GO(before);
}
