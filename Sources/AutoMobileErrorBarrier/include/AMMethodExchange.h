#import <Foundation/Foundation.h>
#import <objc/runtime.h>

NS_ASSUME_NONNULL_BEGIN

/// Exchanges the implementations of two instance methods of a class, once: the replacement, called by its own selector,
/// then is the original.
///
/// A class that inherits a method gets it as its own first, so that nothing changes for its superclass. For class
/// methods give the metaclass (`object_getClass`). Any thread; the first of several callers does it.
///
/// - Returns: NO, with nothing changed, when a method is missing, when their types differ, or when either method has
///   been exchanged by this function before.
FOUNDATION_EXPORT BOOL AMExchangeMethods(Class type, SEL original, SEL replacement);

/// Puts an implementation in the place of an instance method's, for good.
///
/// - Parameter previous: set to what has to be called in its turn (the class's own, or the inherited one), before the
///   new implementation can be called. It must stay valid for ever.
/// - Returns: NO, with nothing changed, when there is no such method, or when its implementation is this one already.
FOUNDATION_EXPORT BOOL AMReplaceMethod(Class type, SEL selector, IMP implementation, IMP _Nullable *_Nonnull previous);

NS_ASSUME_NONNULL_END
