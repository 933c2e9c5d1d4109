#import "Harness.h"
#include <pthread.h>

@interface Base : NSObject
- (int)value;
- (int)other;
- (NSString *)text;
@end
@implementation Base
- (int)value {
  return 1;
}
- (int)other {
  return 10;
}
- (NSString *)text {
  return @"text";
}
@end

@interface Derived : Base
@end
@implementation Derived
- (int)am_value {
  // The original, once exchanged.
  return [self am_value] + 1000;
}
- (int)am_other {
  return [self am_other] + 1000;
}
+ (int)own {
  return 200;
}
+ (int)am_own {
  return [self am_own] + 1000;
}
@end

TEST("an inherited method is exchanged for the class, and not for its superclass") {
  CHECK(AMExchangeMethods([Derived class], @selector(value), @selector(am_value)));
  CHECK([[[[Derived alloc] init] autorelease] value] == 1001);
  CHECK([[[[Base alloc] init] autorelease] value] == 1);
}

TEST("methods are exchanged once") {
  CHECK(!AMExchangeMethods([Derived class], @selector(value), @selector(am_value)));
  CHECK(!AMExchangeMethods([Derived class], @selector(other), @selector(am_value)));
  CHECK([[[[Derived alloc] init] autorelease] value] == 1001);
}

TEST("methods of different types, of nobody, or the same one are not exchanged") {
  CHECK(!AMExchangeMethods([Derived class], @selector(text), @selector(am_other)));
  CHECK(!AMExchangeMethods([Derived class], @selector(lastObject), @selector(am_other)));
  CHECK(!AMExchangeMethods([Derived class], @selector(other), @selector(other)));
  CHECK([[[[Derived alloc] init] autorelease] other] == 10);
}

TEST("class methods are exchanged through the metaclass") {
  CHECK(AMExchangeMethods(object_getClass([Derived class]), @selector(own), @selector(am_own)));
  CHECK([Derived own] == 1200);
}

static int exchanged;
static void *exchangeOther(void *context) {
  if (AMExchangeMethods([Derived class], @selector(other), @selector(am_other))) {
    __atomic_fetch_add(&exchanged, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

TEST("of sixteen threads that exchange the same methods one does it") {
  pthread_t threads[16];
  for (int index = 0; index < 16; index++) pthread_create(&threads[index], NULL, exchangeOther, NULL);
  for (int index = 0; index < 16; index++) pthread_join(threads[index], NULL);
  CHECK(exchanged == 1);
  CHECK([[[[Derived alloc] init] autorelease] other] == 1010);
}

static IMP previous;
static NSString *longerText(id self, SEL selector) {
  return [((NSString * (*)(id, SEL))(void *)previous)(self, selector) stringByAppendingString:@"!"];
}

TEST("a replaced method calls the one before it, and is replaced once") {
  CHECK(AMReplaceMethod([Derived class], @selector(text), (IMP)(void *)longerText, &previous));
  CHECK(!AMReplaceMethod([Derived class], @selector(text), (IMP)(void *)longerText, &previous));
  CHECK(!AMReplaceMethod([Derived class], @selector(lastObject), (IMP)(void *)longerText, &previous));
  CHECK([[[[[Derived alloc] init] autorelease] text] isEqual:@"text!"]);
  CHECK([[[[[Base alloc] init] autorelease] text] isEqual:@"text"]);
}
