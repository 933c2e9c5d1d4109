// Apple's Foundation in Objective-C, as far as the SDK's own Objective-C uses it. NSObject is in objc/NSObject.h, which is Apple's.
//
// Each declaration is written from the page of Apple's documentation (developer.apple.com/documentation/foundation) that stands before
// it; nullability is that of the interface in Swift on the same page, where one is optional and the other is not.
#pragma once

// Foundation brings these along, by way of Core Foundation.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <os/availability.h>

#include <objc/NSObjCRuntime.h>
#include <objc/NSObject.h>
#include <objc/objc.h>

// MARK: Macros

#if defined(__cplusplus)
#define FOUNDATION_EXTERN extern "C"
#else
#define FOUNDATION_EXTERN extern
#endif
#define FOUNDATION_EXPORT FOUNDATION_EXTERN

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_NOESCAPE __attribute__((noescape))
#define NS_RETURNS_RETAINED __attribute__((ns_returns_retained))
#define NS_AUTOMATED_REFCOUNT_UNAVAILABLE __attribute__((unavailable("not available in automatic reference counting mode")))
#define NS_FORMAT_FUNCTION(string, first) __attribute__((format(__NSString__, string, first)))
// Xcode's since version 14. The toolchain's clang knows the attribute by this spelling.
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_UNAVAILABLE(text) __attribute__((availability(swift, unavailable, message = text)))

NS_ASSUME_NONNULL_BEGIN

@class NSArray<ObjectType>, NSInvocation, NSMethodSignature, NSString;
typedef struct _NSZone NSZone;

// MARK: Functions

// NSStringFromSelector(_:), NSStringFromClass(_:)
FOUNDATION_EXPORT NSString *NSStringFromSelector(SEL aSelector);
FOUNDATION_EXPORT NSString *NSStringFromClass(Class aClass);

// MARK: Protocols

// NSCopying
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end

// NSMutableCopying
@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end

// NSFastEnumeration, NSFastEnumerationState
typedef struct {
  unsigned long state;
  id __unsafe_unretained _Nullable *_Nullable itemsPtr;
  unsigned long *_Nullable mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)len;
@end

// MARK: Values

// NSString: stringWithFormat:, stringWithUTF8String:
@interface NSString : NSObject <NSCopying, NSMutableCopying>
+ (instancetype)stringWithFormat:(NSString *)format, ... NS_FORMAT_FUNCTION(1, 2);
+ (nullable instancetype)stringWithUTF8String:(const char *)nullTerminatedCString;
@end

// NSValue: pointerValue
@interface NSValue : NSObject <NSCopying>
@property(nullable, readonly) void *pointerValue;
@end

// NSNumber: numberWithUnsignedLongLong:, unsignedLongLongValue
@interface NSNumber : NSValue
+ (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
@property(readonly) unsigned long long unsignedLongLongValue;
@end

// NSArray: array
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSMutableCopying, NSFastEnumeration>
+ (instancetype)array;
@end

// NSMutableArray: addObject:
@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
- (void)addObject:(ObjectType)anObject;
@end

// MARK: Exceptions

// NSExceptionName
typedef NSString *NSExceptionName __attribute__((swift_wrapper(struct)));

// NSException: name, reason, callStackReturnAddresses
@interface NSException : NSObject <NSCopying>
@property(readonly, copy) NSExceptionName name;
@property(nullable, readonly, copy) NSString *reason;
@property(readonly, copy) NSArray<NSNumber *> *callStackReturnAddresses API_AVAILABLE(macos(10.5), ios(2.0));
@end

// MARK: Messages

// NSMethodSignature: signatureWithObjCTypes:, methodReturnLength
NS_SWIFT_UNAVAILABLE("NSInvocation and related APIs not available")
@interface NSMethodSignature : NSObject
+ (nullable NSMethodSignature *)signatureWithObjCTypes:(const char *)types;
@property(readonly) NSUInteger methodReturnLength;
@end

// NSInvocation: methodSignature, selector, setReturnValue:, invokeWithTarget:
NS_SWIFT_UNAVAILABLE("NSInvocation and related APIs not available")
@interface NSInvocation : NSObject
@property(readonly, retain) NSMethodSignature *methodSignature;
@property SEL selector;
- (void)setReturnValue:(void *)retLoc;
- (void)invokeWithTarget:(id)target;
@end

// NSProxy: alloc, class, forwardInvocation:, methodSignatureForSelector:, dealloc, description, debugDescription, respondsToSelector:
__attribute__((objc_root_class))
@interface NSProxy <NSObject> {
  Class isa;
}
+ (id)alloc;
+ (id)allocWithZone:(nullable NSZone *)zone NS_AUTOMATED_REFCOUNT_UNAVAILABLE;
+ (Class)class;
- (void)forwardInvocation:(NSInvocation *)invocation;
- (nullable NSMethodSignature *)methodSignatureForSelector:(SEL)sel NS_SWIFT_UNAVAILABLE("NSInvocation and related APIs not available");
- (void)dealloc;
@property(readonly, copy) NSString *description;
@property(readonly, copy) NSString *debugDescription;
+ (BOOL)respondsToSelector:(SEL)aSelector;
@end

NS_ASSUME_NONNULL_END
