#import "Harness.h"
#import "AMBlockTarget.h"

TEST("a target calls its block with whoever sent the action") {
  __block id seen = nil;
  AMBlockTarget *target = [[[AMBlockTarget alloc] initWithBlock:^(id sender) {
    seen = sender;
  }] autorelease];
  CHECK([target respondsToSelector:[AMBlockTarget action]]);
  [target performSelector:[AMBlockTarget action] withObject:@"a display link"];
  CHECK([seen isEqual:@"a display link"]);
}

TEST("what a target's block throws ends there") {
  AMBlockTarget *target = [[[AMBlockTarget alloc] initWithBlock:^(id sender) {
    [NSException raise:NSGenericException format:@"thrown"];
  }] autorelease];
  [target invoke:nil];
  CHECK([failures() count] == 1);
  CHECK([[[failures() lastObject] place] isEqual:@"AMBlockTarget"]);
}
