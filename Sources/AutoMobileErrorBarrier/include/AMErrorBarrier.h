#import <Foundation/Foundation.h>

@class AMTarget;

NS_ASSUME_NONNULL_BEGIN

/// Stands in front of an object: passes every message on, and lets no exception out.
///
///     id<UNUserNotificationCenterDelegate> delegate = [AMErrorBarrier barrierWithWeakTarget:adapter];
///
/// A method that throws returns zero to its caller, whatever its type: nil, 0, NO, a structure of zeros. So does every
/// method once a weak target is gone, and one that the target does not have. What was caught is told to the handler of
/// `AMErrorBarrierSetHandler`.
///
/// To its callers the barrier is its target: it answers `class`, `isKindOfClass:`, `respondsToSelector:`,
/// `conformsToProtocol:`, `hash` and `isEqual:` as the target does; two barriers before one target are equal. (A target
/// that is asked whether it equals its barrier says what its own `isEqual:` does, usually NO.) `isProxy` is YES.
///
/// Any thread; no lock is held while the target works. Forwarding goes through `NSInvocation`, and what that cannot
/// carry cannot be forwarded: of a method with variable arguments the fixed ones arrive, and a method with vector types
/// (`simd_float4` and their like) returns nil without having been called. Of a method that neither the target's class
/// nor its protocols know, nobody can tell the return type: it is taken for an object, integer or pointer; the caller
/// of one that returns a floating-point number or a large structure finds there what was there before.
@interface AMErrorBarrier : NSProxy {
 @private
  AMTarget *_target;
  /// What `hash` answered last.
  NSUInteger _hash;
}

/// A barrier that keeps its target alive.
+ (instancetype)barrierWithTarget:(nullable id)target;

/// A barrier that does not keep its target alive: the form for delegates, which own their barrier.
///
/// Built without automatic reference counting the reference does not clear itself: there the target calls
/// `detachErrorBarrier` in its `dealloc`.
+ (instancetype)barrierWithWeakTarget:(nullable id)target;

/// Lets go of the target. Calls that are under way end as they would have; later ones return zero.
- (void)detachErrorBarrier;

@end

NS_ASSUME_NONNULL_END
