#import "Harness.h"
#import "Thrower.h"

@interface Hostile : NSException
@end

@implementation Hostile
- (NSString *)reason {
  [NSException raise:@"Inner" format:@"from reason"];
  return nil;
}
- (NSString *)name {
  return (NSString *)[NSNumber numberWithInt:1];
}
- (NSUInteger)hash {
  @throw @"hash";
}
- (BOOL)isEqual:(id)other {
  @throw @"isEqual";
}
- (BOOL)respondsToSelector:(SEL)selector {
  @throw @"respondsToSelector";
}
- (NSMethodSignature *)methodSignatureForSelector:(SEL)selector {
  if (selector == @selector(lastObject)) @throw @"methodSignatureForSelector";
  return [super methodSignatureForSelector:selector];
}
@end

@interface LateThrower : NSObject
@end

@implementation LateThrower
- (void)dealloc {
  if (self != nil) @throw @"dealloc";
  [super dealloc];
}
@end

static void raiseReason(void *context) { [NSException raise:@"Raised" format:@"%s", (const char *)context]; }
static void count(void *context) { ++*(int *)context; }
static void throwText(void *context) { @throw @"a string"; }

TEST("a function behind the barrier is called once, and nil says that it did not throw") {
  int calls = 0;
  CHECK(AMErrorBarrierCall("place", count, &calls) == nil);
  CHECK(calls == 1);
}

TEST("what a function throws is returned, counted and told") {
  uint64_t before = AMErrorBarrierCaughtCount();
  AMBarrierFailure *failure = AMErrorBarrierCall("a place", raiseReason, "why");
  CHECK([[failure place] isEqual:@"a place"]);
  CHECK([[failure name] isEqual:@"Raised"]);
  CHECK([[failure reason] isEqual:@"why"]);
  CHECK([failures() count] == 1 && [failures() objectAtIndex:0] == failure);
  CHECK(AMErrorBarrierCaughtCount() == before + 1);
}

TEST("an object that is no exception is caught, too") {
  AMBarrierFailure *failure = AMErrorBarrierCall("place", throwText, NULL);
  CHECK([[failure reason] isEqual:@"a string"]);
  CHECK([[failure name] length] > 0);
  CHECK([[failure returnAddresses] count] == 0);
}

TEST("an exception whose own methods throw is caught") {
  AMBarrierFailure *failure = AMErrorBarrierRun("place", ^{
    @throw [[[Hostile alloc] initWithName:@"H" reason:@"r" userInfo:nil] autorelease];
  });
  CHECK([[failure name] isEqual:@"NSException"]);
  CHECK([[failure reason] isEqual:@""]);
}

TEST("a target whose answers about itself throw answers zero") {
  id target = [[[Hostile alloc] initWithName:@"H" reason:@"r" userInfo:nil] autorelease];
  id barrier = [AMErrorBarrier barrierWithTarget:target];
  CHECK([barrier hash] == 0);
  CHECK(![barrier isEqual:@"something"]);
  CHECK(![barrier respondsToSelector:@selector(name)]);
  CHECK([barrier lastObject] == nil);
  CHECK([barrier reason] == nil);
  CHECK([failures() count] >= 5);
}

TEST("an exception in the target's dealloc stays inside") {
  LateThrower *target = [[LateThrower alloc] init];
  AMErrorBarrier *barrier = [AMErrorBarrier barrierWithTarget:target];
  [target release];
  [barrier detachErrorBarrier];
  CHECK([failures() count] == 1);
  CHECK([[[failures() objectAtIndex:0] place] isEqual:@"-[LateThrower dealloc]"]);
}

TEST("a block behind the barrier sees and changes what is around it") {
  __block int value = 1;
  CHECK(AMErrorBarrierRun("place", ^{ value = 2; }) == nil);
  AMBarrierFailure *failure = AMErrorBarrierRun("place", ^{
    value = 3;
    [NSException raise:@"Block" format:@"%d", value];
    value = 4;
  });
  CHECK(value == 3);
  CHECK([[failure reason] isEqual:@"3"]);
}

TEST("of nested barriers the innermost catches, and the outer ones go on") {
  __block int reached = 0;
  AMBarrierFailure *outer = AMErrorBarrierRun("outer", ^{
    AMBarrierFailure *inner = AMErrorBarrierRun("inner", ^{ raiseReason("x"); });
    CHECK([[inner place] isEqual:@"inner"]);
    reached = 1;
  });
  CHECK(outer == nil && reached == 1);
  outer = AMErrorBarrierRun("outer", ^{
    @try {
      raiseReason("first");
    } @finally {
      AMErrorBarrierRun("inner", ^{ raiseReason("second"); });
    }
  });
  CHECK([[outer reason] isEqual:@"first"]);
  CHECK([failures() count] == 3);
}

TEST("an exception a thousand barriers deep is caught by the innermost, and all return") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  AMErrorBarrier *barrier = [AMErrorBarrier barrierWithTarget:target];
  [target setBarrier:barrier];
  [target setThrows:YES];
  CHECK([(Thrower *)barrier depth:1000] == 1000);
  CHECK([failures() count] == 1);
  [target setThrows:NO];
  CHECK([(Thrower *)barrier depth:1000] == 1001);
}

static int handlerCalls;
static void throwingHandler(AMBarrierFailure *failure) {
  handlerCalls++;
  AMErrorBarrierRun("inside the handler", ^{ raiseReason("again"); });
  [NSException raise:@"Handler" format:@"threw"];
}

TEST("a handler that throws, and meets barriers itself, is called once for a failure") {
  handlerCalls = 0;
  uint64_t before = AMErrorBarrierCaughtCount();
  AMErrorBarrierSetHandler(throwingHandler);
  CHECK(AMErrorBarrierRun("place", ^{ raiseReason("x"); }) != nil);
  CHECK(handlerCalls == 1);
  CHECK(AMErrorBarrierCaughtCount() == before + 3);
  CHECK(AMErrorBarrierRun("place", ^{ raiseReason("x"); }) != nil);
  CHECK(handlerCalls == 2);
}

TEST("without a handler failures are counted") {
  AMErrorBarrierSetHandler(NULL);
  uint64_t before = AMErrorBarrierCaughtCount();
  CHECK(AMErrorBarrierRun("place", ^{ raiseReason("x"); }) != nil);
  CHECK(AMErrorBarrierCaughtCount() == before + 1);
}
