#import "AMBarrierFailure.h"

NS_ASSUME_NONNULL_BEGIN

@interface AMBarrierFailure (Catching)

/// Takes note of what has been thrown, and tells the handler. Lets nothing out itself.
///
/// - Parameter thrown: any object; nil when it was none of Objective-C's.
+ (AMBarrierFailure *)caught:(nullable id)thrown at:(NSString *)place;

@end

NS_ASSUME_NONNULL_END
