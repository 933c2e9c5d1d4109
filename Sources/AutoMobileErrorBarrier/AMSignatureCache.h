#import <Foundation/Foundation.h>
#import <objc/runtime.h>
#include <pthread.h>

enum { AM_SIGNATURE_CAPACITY = 64 };

struct am_signature_entry {
  /// Written after the signature: whoever sees the selector sees the signature.
  SEL _Nullable selector;
  /// Retained.
  void *_Nullable signature;
};

NS_ASSUME_NONNULL_BEGIN

/// The signatures of the methods that a barrier has forwarded, up to a fixed number of them. Signatures are kept until
/// the cache ends; looking one up takes no lock.
@interface AMSignatureCache : NSObject {
 @private
  struct am_signature_entry _entries[AM_SIGNATURE_CAPACITY];
  /// For those who write.
  pthread_mutex_t _lock;
}

- (nullable NSMethodSignature *)signatureForSelector:(SEL)selector;

/// Keeps a signature, unless there is no room.
- (void)keep:(NSMethodSignature *)signature forSelector:(SEL)selector;

@end

NS_ASSUME_NONNULL_END
