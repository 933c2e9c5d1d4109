#import <Foundation/Foundation.h>
#import <objc/runtime.h>

NS_ASSUME_NONNULL_BEGIN

/// Is told that a method is about to run on `object`.
typedef void (^AMObjectObserver)(id object, id _Nullable argument);
typedef void (^AMFlagObserver)(id object, BOOL argument);

/// Has a block called before a method that takes one object and returns nothing (`sendEvent:`), until
/// ``AMStopObservingMethod``. One such method at a time in a process.
///
/// Any thread. Observed again, the new block counts. Only the class's own implementation is observed: a subclass that
/// overrides the method and does not call its super's is never seen. An exception that leaves the block ends there, and
/// the method runs.
///
/// - Returns: NO, with nothing changed, when there is no such method, or when another one is observed.
FOUNDATION_EXPORT BOOL AMObserveObjectMethod(Class type, SEL selector, AMObjectObserver observer);

/// The same for a method that takes one `BOOL` and returns nothing (`viewDidAppear:`). One such method at a time.
FOUNDATION_EXPORT BOOL AMObserveFlagMethod(Class type, SEL selector, AMFlagObserver observer);

/// Undoes either. When somebody else has put an implementation in the method's place meanwhile, it is left there, and
/// ours, which theirs may call, only passes on. A second time does nothing.
FOUNDATION_EXPORT void AMStopObservingMethod(Class type, SEL selector);

NS_ASSUME_NONNULL_END
