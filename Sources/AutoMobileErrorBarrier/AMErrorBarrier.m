#import "AMErrorBarrier.h"
#import "AMBarrierFailure+Catching.h"
#import "AMRuntime.h"
#import "AMTarget.h"

@implementation AMErrorBarrier

+ (instancetype)barrierWithTarget:(id)target {
  return AM_AUTORELEASE([[self alloc] initWithTarget:[[AMTarget alloc] initWithStrong:target weak:nil]]);
}

+ (instancetype)barrierWithWeakTarget:(id)target {
  return AM_AUTORELEASE([[self alloc] initWithTarget:[[AMTarget alloc] initWithStrong:nil weak:target]]);
}

/// Takes over the caller's reference.
- (instancetype)initWithTarget:(AMTarget *)target {
  // A proxy has no `init` to call.
  _target = target;
  return self;
}

- (void)dealloc {
  // The target's end may throw.
  id object = [_target retainedObjectDetached];
  [self letGo:&object];
#if !__has_feature(objc_arc)
  [_target release];
  [super dealloc];
#endif
}

- (void)detachErrorBarrier {
  id object = [_target retainedObjectDetached];
  [self letGo:&object];
}

/// Releases an object, perhaps for the last time.
- (void)letGo:(id __strong *)object {
  @try {
    AM_RELEASE(*object);
    *object = nil;
  } @catch (id thrown) {
    [self caught:thrown in:sel_registerName("dealloc")];
  }
  AM_CATCH_FOREIGN([self caught:nil in:sel_registerName("dealloc")])
}

- (void)caught:(id)thrown in:(SEL)selector {
  NSString *type = NSStringFromClass([_target type]);
  [AMBarrierFailure caught:thrown at:[NSString stringWithFormat:@"-[%@ %@]", type, NSStringFromSelector(selector)]];
}

// MARK: Forwarding

- (NSMethodSignature *)methodSignatureForSelector:(SEL)selector {
  NSMethodSignature *signature = nil;
  @try {
    signature = [_target signatureForSelector:selector];
  } @catch (id thrown) {
    // Among others: a type that method signatures cannot describe.
    [self caught:thrown in:selector];
  }
  AM_CATCH_FOREIGN([self caught:nil in:selector])
  // Nil would be an exception in the caller. An object, an integer and a pointer are returned in the same place.
  return signature != nil ? signature : [NSMethodSignature signatureWithObjCTypes:"@@:"];
}

- (void)forwardInvocation:(NSInvocation *)invocation {
  id object = [_target retainedObject];
  BOOL didReturn = NO;
  @try {
    if (object != nil) {
      [invocation invokeWithTarget:object];
      didReturn = YES;
    }
  } @catch (id thrown) {
    [self caught:thrown in:[invocation selector]];
  }
  AM_CATCH_FOREIGN([self caught:nil in:[invocation selector]])
  if (!didReturn) setReturnValueToZero(invocation);
  [self letGo:&object];
}

static void setReturnValueToZero(NSInvocation *invocation) {
  NSUInteger length = [[invocation methodSignature] methodReturnLength];
  if (length == 0) return;
  unsigned char small[256] = {0};
  void *zeros = length <= sizeof small ? small : calloc(1, length);
  if (zeros == NULL) return;
  @try {
    [invocation setReturnValue:zeros];
  } @catch (...) {
    // Then the caller finds what was there before; better that than an exception.
  }
  if (zeros != small) free(zeros);
}

// MARK: What every object is asked

// NSProxy answers these itself, so they would not be forwarded.
#define ASK_OR(type, otherwise, question)         \
  type answer = 0;                                \
  id object = [_target retainedObject];           \
  @try {                                          \
    answer = object != nil ? question : otherwise; \
  } @catch (id thrown) {                          \
    [self caught:thrown in:_cmd];                 \
  }                                               \
  AM_CATCH_FOREIGN([self caught:nil in:_cmd])     \
  [self letGo:&object];                           \
  return answer

- (BOOL)respondsToSelector:(SEL)selector {
  if (sel_isEqual(selector, @selector(detachErrorBarrier))) return YES;
  ASK_OR(BOOL, [[_target type] instancesRespondToSelector:selector], [object respondsToSelector:selector]);
}

- (BOOL)conformsToProtocol:(Protocol *)protocol {
  ASK_OR(BOOL, [[_target type] conformsToProtocol:protocol], [object conformsToProtocol:protocol]);
}

- (BOOL)isKindOfClass:(Class)type {
  ASK_OR(BOOL, [[_target type] isSubclassOfClass:type], [object isKindOfClass:type]);
}

- (BOOL)isMemberOfClass:(Class)type {
  ASK_OR(BOOL, [_target type] == type, [object isMemberOfClass:type]);
}

- (Class)class {
  return [_target type] != Nil ? [_target type] : object_getClass(self);
}

/// The target's; once that is gone, what was answered last, so that collections still find the barrier.
- (NSUInteger)hash {
  NSUInteger hash = [self hashOr:__atomic_load_n(&_hash, __ATOMIC_RELAXED)];
  __atomic_store_n(&_hash, hash, __ATOMIC_RELAXED);
  return hash;
}

- (NSUInteger)hashOr:(NSUInteger)otherwise {
  ASK_OR(NSUInteger, otherwise, [object hash]);
}

- (BOOL)isEqual:(id)other {
  if (other == self) return YES;
  id others = nil;
  if (other != nil && object_getClass(other) == object_getClass(self)) {
    others = [((AMErrorBarrier *)other)->_target retainedObject];
    other = others;
  }
  BOOL isEqual = other != nil && [self isTargetEqual:other];
  [self letGo:&others];
  return isEqual;
}

- (BOOL)isTargetEqual:(id)other {
  ASK_OR(BOOL, NO, object == other || [object isEqual:other]);
}

- (NSString *)description {
  // Retained, because it may be part of what is let go.
  ASK_OR(NSString *, @"(an error barrier without a target)", AM_AUTORELEASE(AM_RETAIN([object description])));
}

- (BOOL)isProxy {
  return YES;
}

@end
