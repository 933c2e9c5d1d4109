#import "AMBarrierFailure+Catching.h"
#import "AMRuntime.h"
#import <objc/runtime.h>

static AMErrorBarrierHandler currentHandler;
static uint64_t caughtCount;
/// The handler runs on this thread.
static _Thread_local BOOL isTelling;

void AMErrorBarrierSetHandler(AMErrorBarrierHandler handler) {
  __atomic_store_n(&currentHandler, handler, __ATOMIC_RELEASE);
}

uint64_t AMErrorBarrierCaughtCount(void) { return __atomic_load_n(&caughtCount, __ATOMIC_RELAXED); }

/// What is found out about an exception runs the exception's own code, which can throw again.
static NSString *textOf(id object, SEL selector, NSString *otherwise) {
  @try {
    id text = nil;
    if (selector == @selector(name)) text = [(NSException *)object name];
    if (selector == @selector(reason)) text = [(NSException *)object reason];
    if (selector == @selector(description)) text = [object description];
    if ([text isKindOfClass:[NSString class]]) return AM_AUTORELEASE([text copy]);
  } @catch (...) {
  }
  return otherwise;
}

static NSArray<NSNumber *> *addressesOf(NSException *exception) {
  NSMutableArray<NSNumber *> *addresses = [NSMutableArray array];
  @try {
    for (id address in [exception callStackReturnAddresses]) {
      // A number on Apple platforms, a pointer in a value with GNUstep.
      uintptr_t number = [address isKindOfClass:[NSNumber class]] ? (uintptr_t)[address unsignedLongLongValue]
                                                                  : (uintptr_t)[address pointerValue];
      [addresses addObject:[NSNumber numberWithUnsignedLongLong:number]];
    }
  } @catch (...) {
  }
  return addresses;
}

@implementation AMBarrierFailure

@synthesize place = _place, name = _name, reason = _reason, returnAddresses = _returnAddresses;

- (instancetype)initWithPlace:(NSString *)place name:(NSString *)name reason:(NSString *)reason
              returnAddresses:(NSArray<NSNumber *> *)returnAddresses {
  if ((self = [super init])) {
    _place = [place copy];
    _name = [name copy];
    _reason = [reason copy];
    _returnAddresses = [returnAddresses copy];
  }
  return self;
}

#if !__has_feature(objc_arc)
- (void)dealloc {
  [_place release];
  [_name release];
  [_reason release];
  [_returnAddresses release];
  [super dealloc];
}
#endif

- (NSString *)description {
  return [NSString stringWithFormat:@"%@ in %@: %@", _name, _place, _reason];
}

@end

@implementation AMBarrierFailure (Catching)

+ (AMBarrierFailure *)caught:(id)thrown at:(NSString *)place {
  __atomic_fetch_add(&caughtCount, 1, __ATOMIC_RELAXED);
  NSString *name = @"an exception of another language";
  NSString *reason = @"";
  NSArray<NSNumber *> *addresses = [NSArray array];
  if ([thrown isKindOfClass:[NSException class]]) {
    name = textOf(thrown, @selector(name), @"NSException");
    reason = textOf(thrown, @selector(reason), @"");
    addresses = addressesOf(thrown);
  } else if (thrown != nil) {
    name = NSStringFromClass(object_getClass(thrown));
    reason = textOf(thrown, @selector(description), @"");
  }
  AMBarrierFailure *failure =
      AM_AUTORELEASE([[AMBarrierFailure alloc] initWithPlace:place name:name reason:reason returnAddresses:addresses]);

  AMErrorBarrierHandler handler = __atomic_load_n(&currentHandler, __ATOMIC_ACQUIRE);
  if (handler != NULL && !isTelling) {
    isTelling = YES;
    @try {
      handler(failure);
    } @catch (...) {
      __atomic_fetch_add(&caughtCount, 1, __ATOMIC_RELAXED);
    }
    isTelling = NO;
  }
  return failure;
}

@end
