#import "AMBarrierFailure.h"

NS_ASSUME_NONNULL_BEGIN

/// Calls a function; an exception that comes out of it ends here, and is told to the handler.
///
/// - Returns: what was caught; nil when nothing was thrown.
///
/// The frames between the throw and here are left without their clean-up, as always in Objective-C: what they had
/// retained leaks, and a lock they held stays locked. So the less a barrier holds, the better.
FOUNDATION_EXPORT AMBarrierFailure *_Nullable AMErrorBarrierCall(
    const char *place, void (*function)(void *_Nullable), void *_Nullable context);

#if __has_extension(blocks)
/// Calls a block, like `AMErrorBarrierCall`. Nothing is allocated unless something is thrown.
FOUNDATION_EXPORT AMBarrierFailure *_Nullable AMErrorBarrierRun(const char *place, void (NS_NOESCAPE ^block)(void));
#endif

NS_ASSUME_NONNULL_END
