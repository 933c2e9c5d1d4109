#import <Foundation/Foundation.h>

// GNUstep does not know these.
#ifndef NS_SWIFT_SENDABLE
#define NS_SWIFT_SENDABLE
#endif
#ifndef NS_NOESCAPE
#define NS_NOESCAPE __attribute__((noescape))
#endif

NS_ASSUME_NONNULL_BEGIN

/// An exception that a barrier caught. It never changes; any thread.
NS_SWIFT_SENDABLE
@interface AMBarrierFailure : NSObject {
 @private
  NSString *_place;
  NSString *_name;
  NSString *_reason;
  NSArray<NSNumber *> *_returnAddresses;
}

/// Where it was caught: what was given to `AMErrorBarrierRun`, or the method, like `-[Adapter didChange:]`.
@property(nonatomic, readonly, copy) NSString *place;
/// The exception's name; the class of what was thrown when that is no `NSException`.
@property(nonatomic, readonly, copy) NSString *name;
/// The exception's reason; the description of what was thrown when that is no `NSException`.
@property(nonatomic, readonly, copy) NSString *reason;
/// Where it was thrown, innermost first; empty when nobody knows. Numbers that fit into a pointer.
@property(nonatomic, readonly, copy) NSArray<NSNumber *> *returnAddresses;

@end

/// Is told of every failure, on the thread on which it was caught.
///
/// What it throws is caught, too, and not told to anybody; neither is what barriers catch while it runs. It may call
/// anything, a barrier as well.
typedef void (*AMErrorBarrierHandler)(AMBarrierFailure *failure);

/// Sets who is told; nobody when nil. Any thread.
FOUNDATION_EXPORT void AMErrorBarrierSetHandler(AMErrorBarrierHandler _Nullable handler);

/// How many exceptions barriers have caught in this process. Wraps around. Any thread.
FOUNDATION_EXPORT uint64_t AMErrorBarrierCaughtCount(void);

NS_ASSUME_NONNULL_END
