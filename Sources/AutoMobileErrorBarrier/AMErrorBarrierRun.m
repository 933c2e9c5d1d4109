#import "AMErrorBarrierRun.h"
#import "AMBarrierFailure+Catching.h"
#import "AMRuntime.h"

AMBarrierFailure *AMErrorBarrierCall(const char *place, void (*function)(void *), void *context) {
  @try {
    function(context);
    return nil;
  } @catch (id thrown) {
    return [AMBarrierFailure caught:thrown at:[NSString stringWithUTF8String:place]];
  }
  AM_CATCH_FOREIGN(return [AMBarrierFailure caught:nil at:[NSString stringWithUTF8String:place]])
}

#if __has_extension(blocks)
AMBarrierFailure *AMErrorBarrierRun(const char *place, void (^block)(void)) {
  @try {
    block();
    return nil;
  } @catch (id thrown) {
    return [AMBarrierFailure caught:thrown at:[NSString stringWithUTF8String:place]];
  }
  AM_CATCH_FOREIGN(return [AMBarrierFailure caught:nil at:[NSString stringWithUTF8String:place]])
}
#endif
