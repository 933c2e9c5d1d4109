#import "Harness.h"
#import "AMGetterReplacement.h"
#import "AMMethodExchange.h"

@interface Settings : NSObject
- (NSArray *)classes;
- (int)number;
@end
@implementation Settings
- (NSArray *)classes {
  return [NSArray arrayWithObject:@"own"];
}
- (int)number {
  return 7;
}
@end

static NSArray *classes(void) { return [[[[Settings alloc] init] autorelease] classes]; }

static BOOL replace(void) {
  return AMReplaceGetter([Settings class], @selector(classes), ^id(id object, id original) {
    return [[NSArray arrayWithObject:@"ours"] arrayByAddingObjectsFromArray:original];
  });
}

TEST("a getter is replaced, and put back") {
  CHECK(replace());
  CHECK([classes() isEqual:([NSArray arrayWithObjects:@"ours", @"own", nil])]);
  AMRestoreGetter([Settings class], @selector(classes));
  CHECK([classes() isEqual:[NSArray arrayWithObject:@"own"]]);
}

TEST("a getter is replaced once, however often that is asked for, and put back once") {
  for (int i = 0; i < 3; i++) CHECK(replace());
  CHECK([classes() count] == 2);
  for (int i = 0; i < 3; i++) AMRestoreGetter([Settings class], @selector(classes));
  CHECK([classes() count] == 1);
  CHECK(replace());
  CHECK([classes() count] == 2);
  AMRestoreGetter([Settings class], @selector(classes));
}

TEST("asked while the replacement runs, the object gives its own value") {
  __block NSUInteger count = 0;
  CHECK(AMReplaceGetter([Settings class], @selector(classes), ^id(id object, id original) {
    count = [[object classes] count];
    return [original arrayByAddingObject:@"ours"];
  }));
  CHECK([classes() count] == 2);
  CHECK(count == 1);
  AMRestoreGetter([Settings class], @selector(classes));
}

TEST("getters of numbers, of nobody, and a second one are not replaced") {
  AMGetter nothing = ^id(id object, id original) {
    return nil;
  };
  CHECK(!AMReplaceGetter([Settings class], @selector(number), nothing));
  CHECK(!AMReplaceGetter([Settings class], @selector(lastObject), nothing));
  CHECK(!AMReplaceGetter([Settings class], @selector(description), nothing));
  CHECK([[[[Settings alloc] init] autorelease] number] == 7);
}

static IMP before;
static id theirs(id object, SEL selector) {
  return [((id(*)(id, SEL))before)(object, selector) arrayByAddingObject:@"theirs"];
}

TEST("what somebody else put on top stays, and gets the object's own value from below") {
  CHECK(replace());
  CHECK(AMReplaceMethod([Settings class], @selector(classes), (IMP)theirs, &before));
  CHECK([classes() isEqual:([NSArray arrayWithObjects:@"ours", @"own", @"theirs", nil])]);
  AMRestoreGetter([Settings class], @selector(classes));
  CHECK([classes() isEqual:([NSArray arrayWithObjects:@"own", @"theirs", nil])]);
  CHECK(replace());
  CHECK([classes() isEqual:([NSArray arrayWithObjects:@"ours", @"own", @"theirs", nil])]);
  AMRestoreGetter([Settings class], @selector(classes));
}
