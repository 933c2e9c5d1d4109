#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// What target and action stand for where Swift has a closure: a display link, a gesture recognizer.
///
/// Whoever is given it keeps it alive, and it keeps its block. An exception that leaves the block ends there.
@interface AMBlockTarget : NSObject {
 @private
  void (^_block)(id _Nullable sender);
}

- (instancetype)initWithBlock:(void (^)(id _Nullable sender))block;

/// The selector to give along with it.
@property(class, nonatomic, readonly) SEL action;

- (void)invoke:(nullable id)sender;

@end

NS_ASSUME_NONNULL_END
