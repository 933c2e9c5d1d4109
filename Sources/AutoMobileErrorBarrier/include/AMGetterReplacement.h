#import <Foundation/Foundation.h>
#import <objc/runtime.h>

NS_ASSUME_NONNULL_BEGIN

/// What a getter gives instead of `original`, which is the object's own value. While it runs, the getter gives the
/// object's own value, on the same thread.
typedef id _Nullable (^AMGetter)(id object, id _Nullable original);

/// Puts a block in the place of a getter that returns an object, until ``AMRestoreGetter``. One getter at a time in a
/// process.
///
/// Any thread. Replaced again, the new block counts.
///
/// - Returns: NO, with nothing changed, when there is no such getter, or when another one is replaced.
FOUNDATION_EXPORT BOOL AMReplaceGetter(Class type, SEL getter, AMGetter replacement);

/// Undoes it. When somebody else has put an implementation in the getter's place meanwhile, it is left there, and ours,
/// which theirs may call, gives the object's own value. A second time does nothing.
FOUNDATION_EXPORT void AMRestoreGetter(Class type, SEL getter);

NS_ASSUME_NONNULL_END
