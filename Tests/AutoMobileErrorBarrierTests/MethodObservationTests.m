#import "Harness.h"
#import "AMMethodExchange.h"
#import "AMMethodObservation.h"

static NSMutableArray *calls;
static void note(NSString *call) { [calls addObject:call]; }

@interface Pane : NSObject
- (void)sendEvent:(id)event;
- (void)viewDidAppear:(BOOL)animated;
- (int)number:(id)argument;
- (void)width:(double)width;
@end
@implementation Pane
- (void)sendEvent:(id)event {
  note([NSString stringWithFormat:@"sent %@", event]);
}
- (void)viewDidAppear:(BOOL)animated {
  note(animated ? @"appeared, animated" : @"appeared");
}
- (int)number:(id)argument {
  return 7;
}
- (void)width:(double)width {
}
@end

/// A subclass of the app's, which calls its super's.
@interface OwnPane : Pane
@end
@implementation OwnPane
- (void)sendEvent:(id)event {
  [super sendEvent:event];
  note(@"own");
}
@end

static NSArray *done(void (^work)(Pane *)) {
  [calls release];
  calls = [[NSMutableArray alloc] init];
  Pane *pane = [[[OwnPane alloc] init] autorelease];
  work(pane);
  return [[calls copy] autorelease];
}

static NSArray *sent(void) {
  return done(^(Pane *pane) {
    [pane sendEvent:@"a touch"];
  });
}

static BOOL observe(void) {
  return AMObserveObjectMethod([Pane class], @selector(sendEvent:), ^(id object, id argument) {
    note([NSString stringWithFormat:@"saw %@ on %@", argument, NSStringFromClass([object class])]);
  });
}

TEST("a method with an object is observed before it runs, and runs as before afterwards") {
  CHECK(observe());
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"saw a touch on OwnPane", @"sent a touch", @"own", nil])]);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"sent a touch", @"own", nil])]);
}

TEST("a method with a flag is observed beside the other") {
  CHECK(observe());
  CHECK(AMObserveFlagMethod([Pane class], @selector(viewDidAppear:), ^(id object, BOOL animated) {
    note(animated ? @"saw it, animated" : @"saw it");
  }));
  NSArray *both = done(^(Pane *pane) {
    // Not by the subclass, which only inherits it: GNU's runtime goes on calling what was there.
    Pane *plain = [[[Pane alloc] init] autorelease];
    [plain viewDidAppear:YES];
    [plain viewDidAppear:NO];
    [pane sendEvent:nil];
  });
  CHECK([both count] == 7);
  CHECK([[both objectAtIndex:0] isEqual:@"saw it, animated"] && [[both objectAtIndex:1] isEqual:@"appeared, animated"]);
  CHECK([[both objectAtIndex:2] isEqual:@"saw it"] && [[both objectAtIndex:3] isEqual:@"appeared"]);
  AMStopObservingMethod([Pane class], @selector(viewDidAppear:));
  CHECK([sent() count] == 3);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
  CHECK([sent() count] == 2);
}

TEST("however often a method is observed, it is told once, and put back once") {
  IMP own = class_getMethodImplementation([Pane class], @selector(sendEvent:));
  for (int i = 0; i < 3; i++) CHECK(observe());
  CHECK([sent() count] == 3);
  for (int i = 0; i < 3; i++) AMStopObservingMethod([Pane class], @selector(sendEvent:));
  CHECK(class_getMethodImplementation([Pane class], @selector(sendEvent:)) == own);
  CHECK(observe());
  CHECK([sent() count] == 3);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
}

TEST("what an observer throws ends there, and the method runs") {
  CHECK(AMObserveObjectMethod([Pane class], @selector(sendEvent:), ^(id object, id argument) {
    [NSException raise:NSRangeException format:@"out of range"];
  }));
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"sent a touch", @"own", nil])]);
  CHECK([failures() count] == 1);
  CHECK([[[failures() lastObject] place] isEqual:@"sendEvent:"]);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
}

TEST("methods of other shapes, and a second one of the same, are not observed") {
  AMObjectObserver nothing = ^(id object, id argument) {
  };
  CHECK(!AMObserveObjectMethod([Pane class], @selector(viewDidAppear:), nothing));
  CHECK(!AMObserveObjectMethod([Pane class], @selector(number:), nothing));
  CHECK(!AMObserveObjectMethod([Pane class], @selector(width:), nothing));
  CHECK(!AMObserveObjectMethod([Pane class], @selector(lastObject), nothing));
  CHECK(observe());
  CHECK(!AMObserveObjectMethod([NSMutableArray class], @selector(addObject:), nothing));
  CHECK([sent() count] == 3);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
}

static IMP before;
static void theirs(id object, SEL selector, id argument) {
  note(@"theirs");
  ((void (*)(id, SEL, id))(void (*)(void))before)(object, selector, argument);
}

// Last of its slot: what somebody else puts on top stays there for the rest of the process.
TEST("what somebody else put on top stays, and finds the original below; observed again, each is told once") {
  CHECK(observe());
  CHECK(AMReplaceMethod([Pane class], @selector(sendEvent:), (IMP)(void (*)(void))theirs, &before));
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"theirs", @"saw a touch on OwnPane", @"sent a touch", @"own", nil])]);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"theirs", @"sent a touch", @"own", nil])]);
  CHECK(observe());
  CHECK([sent() isEqual:([NSArray arrayWithObjects:@"theirs", @"saw a touch on OwnPane", @"sent a touch", @"own", nil])]);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
  // They leave: then nothing of either is there.
  Method method = class_getInstanceMethod([Pane class], @selector(sendEvent:));
  method_setImplementation(method, before);
  CHECK(observe());
  CHECK([sent() count] == 3);
  AMStopObservingMethod([Pane class], @selector(sendEvent:));
  CHECK([sent() count] == 2);
}
