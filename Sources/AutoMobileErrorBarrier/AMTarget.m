#import "AMTarget.h"

@implementation AMTarget

@synthesize type = _type;

- (instancetype)initWithStrong:(id)strong weak:(id)weak {
  if ((self = [super init])) {
    _strong = AM_RETAIN(strong);
    _weak = weak;
    _type = [strong != nil ? strong : weak class];
    _signatures = [[AMSignatureCache alloc] init];
    pthread_mutex_init(&_lock, NULL);
  }
  return self;
}

- (void)dealloc {
  pthread_mutex_destroy(&_lock);
#if !__has_feature(objc_arc)
  [_strong release];
  [_signatures release];
  [super dealloc];
#endif
}

- (id)retainedObject {
  pthread_mutex_lock(&_lock);
  id object = _strong;
  if (object == nil) object = _weak;
  (void)AM_RETAIN(object);
  pthread_mutex_unlock(&_lock);
  return object;
}

- (id)retainedObjectDetached {
  pthread_mutex_lock(&_lock);
  id object = _strong;
  _strong = nil;
  _weak = nil;
  pthread_mutex_unlock(&_lock);
  return object;
}

- (NSMethodSignature *)signatureForSelector:(SEL)selector {
  NSMethodSignature *signature = [_signatures signatureForSelector:selector];
  if (signature != nil) return signature;
  // First the object, which may itself forward to others. Whoever calls holds it.
  id object = AM_AUTORELEASE([self retainedObject]);
  signature = [object methodSignatureForSelector:selector];
  if (signature == nil) signature = [_type instanceMethodSignatureForSelector:selector];
  if (signature == nil) signature = signatureInProtocols(_type, selector);
  if (signature != nil) [_signatures keep:signature forSelector:selector];
  return signature;
}

/// What the protocols that a class adopts say of a method, also of an optional one that it does not implement.
static NSMethodSignature *signatureInProtocols(Class type, SEL selector) {
  const char *types = NULL;
  for (Class class = type; class != Nil && types == NULL; class = class_getSuperclass(class)) {
    unsigned int count = 0;
    Protocol *__unsafe_unretained *protocols = class_copyProtocolList(class, &count);
    for (unsigned int index = 0; index < count && types == NULL; index++) {
      types = protocol_getMethodDescription(protocols[index], selector, YES, YES).types;
      if (types == NULL) types = protocol_getMethodDescription(protocols[index], selector, NO, YES).types;
    }
    free(protocols);
  }
  return types == NULL ? nil : [NSMethodSignature signatureWithObjCTypes:types];
}

@end
