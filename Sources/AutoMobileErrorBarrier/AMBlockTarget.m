#import "AMBlockTarget.h"
#import "AMBarrierFailure+Catching.h"
#import "AMRuntime.h"

#if !__has_feature(objc_arc)
#include <Block.h>
#endif

@implementation AMBlockTarget

+ (SEL)action {
  return @selector(invoke:);
}

- (instancetype)initWithBlock:(void (^)(id sender))block {
  if ((self = [super init])) {
#if __has_feature(objc_arc)
    _block = [block copy];
#else
    // GNUstep's blocks are no objects.
    _block = Block_copy(block);
#endif
  }
  return self;
}

#if !__has_feature(objc_arc)
- (void)dealloc {
  Block_release(_block);
  [super dealloc];
}
#endif

- (void)invoke:(id)sender {
  @try {
    _block(sender);
  } @catch (id thrown) {
    [AMBarrierFailure caught:thrown at:@"AMBlockTarget"];
  }
  AM_CATCH_FOREIGN([AMBarrierFailure caught:nil at:@"AMBlockTarget"])
}

@end
