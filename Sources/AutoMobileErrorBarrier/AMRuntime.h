// What differs between the runtimes.
//
// The same sources are valid with automatic reference counting, as on Apple platforms, and without, as with GNUstep.
#if __has_feature(objc_arc)
#define AM_RETAIN(object) (object)
#define AM_RELEASE(object) ((void)(object))
#define AM_AUTORELEASE(object) (object)
#define AM_SUPER_DEALLOC ((void)0)
#define AM_WEAK __weak
#else
#define AM_RETAIN(object) [(object) retain]
#define AM_RELEASE(object) [(object) release]
#define AM_AUTORELEASE(object) [(object) autorelease]
#define AM_SUPER_DEALLOC [super dealloc]
#define AM_WEAK
#endif

// Exceptions of other languages, such as C++. On Apple platforms `@catch (id)` catches objects only; GNU's runtime
// catches nothing else, and its compiler takes one catch-all.
#if defined(__APPLE__)
#define AM_CATCH_FOREIGN(statement) \
  @catch (...) {                    \
    statement;                      \
  }
#else
#define AM_CATCH_FOREIGN(statement)
#endif
