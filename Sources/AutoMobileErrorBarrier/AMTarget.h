#import <Foundation/Foundation.h>
#import <objc/runtime.h>
#include <pthread.h>

#import "AMRuntime.h"
#import "AMSignatureCache.h"

NS_ASSUME_NONNULL_BEGIN

/// What an error barrier stands in front of, held strongly or weakly. Any thread.
@interface AMTarget : NSObject {
 @private
  /// One of the two, or neither.
  id _strong;
  AM_WEAK id _weak;
  Class _type;
  AMSignatureCache *_signatures;
  /// Held while the object is fetched or let go.
  pthread_mutex_t _lock;
}

- (instancetype)initWithStrong:(nullable id)strong weak:(nullable id)weak;

/// The object's class, also when the object is gone; nil when there never was one.
@property(nonatomic, readonly, nullable) Class type;

/// The object, if it is there, for the caller to release.
- (nullable id)retainedObject NS_RETURNS_RETAINED;

/// Forgets the object, and returns it for the caller to release, if it was held strongly.
- (nullable id)retainedObjectDetached NS_RETURNS_RETAINED;

/// How a method is called, as far as its object, its class or its class's protocols know. May throw what the object
/// throws when it is asked.
- (nullable NSMethodSignature *)signatureForSelector:(SEL)selector;

@end

NS_ASSUME_NONNULL_END
