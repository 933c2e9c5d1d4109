#import "Harness.h"
#import "Thrower.h"

static BOOL isZero(const void *bytes, size_t length) {
  for (size_t index = 0; index < length; index++) {
    if (((const char *)bytes)[index] != 0) return NO;
  }
  return YES;
}

/// Calls every method; `wanted` says what each should have returned.
static void checkEveryReturnType(Thrower *thrower, BOOL throws) {
  [thrower nothing];
  CHECK([thrower boolean] == (throws ? NO : YES));
  CHECK([thrower character] == (throws ? 0 : 'c'));
  CHECK([thrower shortInteger] == (throws ? 0 : -7));
  CHECK([thrower integer] == (throws ? 0 : -70000));
  CHECK([thrower longInteger] == (throws ? 0 : -7000000000LL));
  CHECK([thrower unsignedInteger] == (throws ? 0 : 18000000000000000000ULL));
  CHECK([thrower number] == (throws ? 0 : 1.5f));
  CHECK([thrower doubleNumber] == (throws ? 0 : 2.5));
  CHECK([thrower text] == NULL || strcmp([thrower text], "text") == 0);
  CHECK(([thrower text] == NULL) == throws);
  CHECK(([thrower pointer] == NULL) == throws);
  CHECK(([thrower selector] == NULL) == throws);
  CHECK([thrower type] == (throws ? Nil : [NSString class]));
  CHECK(throws ? [thrower object] == nil : [[thrower object] isEqual:@"object"]);
  NSRange range = [thrower range];
  CHECK(NSEqualRanges(range, throws ? NSMakeRange(0, 0) : NSMakeRange(3, 4)));
  CHECK([thrower small].a == (throws ? 0 : 5));
  Rectangle rectangle = [thrower rectangle];
  CHECK(throws ? isZero(&rectangle, sizeof rectangle) : (rectangle.x == 1 && rectangle.height == 4));
  Large large = [thrower large];
  CHECK(throws ? isZero(&large, sizeof large) : (large.a.x == 1 && large.i.height == 8));
  rectangle = [thrower rectangle:(Rectangle){1, 2, 3, 4} movedBy:10 and:20 times:2 named:@"seven c"];
  CHECK(throws ? isZero(&rectangle, sizeof rectangle)
               : (rectangle.x == 28 && rectangle.y == 42 && rectangle.width == 3));
}

TEST("a method of every return type is forwarded as it is") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  checkEveryReturnType((Thrower *)[AMErrorBarrier barrierWithTarget:target], NO);
  CHECK([target calls] > 20);
  CHECK([failures() count] == 0);
}

TEST("an exception in a method of any return type becomes zero, and is told") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  [target setThrows:YES];
  checkEveryReturnType((Thrower *)[AMErrorBarrier barrierWithTarget:target], YES);
  CHECK([failures() count] == (NSUInteger)[target calls]);
  AMBarrierFailure *first = [failures() objectAtIndex:0];
  CHECK([[first place] isEqual:@"-[Thrower nothing]"]);
  CHECK([[first name] isEqual:@"Thrown"]);
  CHECK([[first reason] isEqual:@"call 1"]);
  CHECK([[first returnAddresses] count] > 2);
  CHECK([[[first returnAddresses] objectAtIndex:0] unsignedLongLongValue] > 4096);
}

TEST("a barrier without a target returns zero for what is asked of it") {
  id barrier = [AMErrorBarrier barrierWithTarget:nil];
  CHECK([barrier object] == nil);
  CHECK([barrier integer] == 0);
  CHECK([[barrier description] length] > 0);
  CHECK(![barrier respondsToSelector:@selector(object)]);
  CHECK([failures() count] == 0);
}

TEST("once its target is gone, a method of any return type returns zero") {
  Thrower *target = [[Thrower alloc] init];
  AMErrorBarrier *barrier = [AMErrorBarrier barrierWithWeakTarget:target];
  CHECK([(Thrower *)barrier integer] == -70000);
  [barrier detachErrorBarrier];
  [target release];
  checkEveryReturnType((Thrower *)barrier, YES);
  CHECK([barrier respondsToSelector:@selector(large)]);
  CHECK([barrier isKindOfClass:[Thrower class]]);
  CHECK([failures() count] == 0);
}

TEST("a barrier does not keep a weak target alive, and keeps a strong one") {
  Thrower *target = [[Thrower alloc] init];
  NSUInteger before = [target retainCount];
  AMErrorBarrier *weak = [AMErrorBarrier barrierWithWeakTarget:target];
  CHECK([target retainCount] == before);
  @autoreleasepool {
    AMErrorBarrier *strong = [AMErrorBarrier barrierWithTarget:target];
    CHECK([target retainCount] == before + 1);
    [target setThrows:YES];
    [(Thrower *)strong large];
    [(Thrower *)strong object];
    [(Thrower *)weak object];
    [strong isEqual:weak];
    [strong hash];
    [strong description];
  }
  CHECK([target retainCount] == before);
  [weak detachErrorBarrier];
  [target release];
}

TEST("a method that nobody has is an exception that stays inside") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  id barrier = [AMErrorBarrier barrierWithTarget:target];
  CHECK([barrier characterAtIndex:3] == 0);
  CHECK([barrier lastObject] == nil);
  CHECK([failures() count] == 2);
}

TEST("a method of its protocol that the target lacks returns zero of the type that the protocol gives") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  id barrier = [AMErrorBarrier barrierWithTarget:target];
  CHECK(![barrier respondsToSelector:@selector(missingRatio)]);
  CHECK([(id<Measuring>)barrier missingRatio] == 0);
  Large large = [(id<Measuring>)barrier missingLarge];
  CHECK(isZero(&large, sizeof large));
  CHECK([failures() count] == 2);
}

TEST("of a method with variable arguments the fixed ones arrive") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  CHECK(([(Thrower *)[AMErrorBarrier barrierWithTarget:target] sumOf:3, 1, 2, 3]) == 3);
  CHECK([target calls] == 1);
}

TEST("a barrier looks like its target") {
  Thrower *target = [[[Thrower alloc] init] autorelease];
  id barrier = [AMErrorBarrier barrierWithTarget:target];
  CHECK([barrier class] == [Thrower class]);
  CHECK([barrier isKindOfClass:[NSObject class]]);
  CHECK(![barrier isKindOfClass:[NSString class]]);
  CHECK([barrier isMemberOfClass:[Thrower class]]);
  CHECK([barrier conformsToProtocol:measuring()]);
  CHECK(![barrier conformsToProtocol:@protocol(NSCoding)]);
  CHECK([barrier respondsToSelector:@selector(rectangle)]);
  CHECK(![barrier respondsToSelector:@selector(lastObject)]);
  CHECK([barrier hash] == [target hash]);
  CHECK([barrier isEqual:target]);
  CHECK([barrier isEqual:[AMErrorBarrier barrierWithTarget:target]]);
  CHECK(![barrier isEqual:[[[Thrower alloc] init] autorelease]]);
  CHECK(![barrier isEqual:nil]);
  CHECK([barrier isProxy]);
  CHECK([[barrier description] isEqual:[target description]]);
}

TEST("a barrier is found in collections by its target's hash, also when that is gone") {
  NSMutableString *target = [[NSMutableString alloc] initWithString:@"key"];
  AMErrorBarrier *barrier = [AMErrorBarrier barrierWithWeakTarget:target];
  NSMutableSet *set = [NSMutableSet setWithObject:barrier];
  CHECK([set containsObject:barrier]);
  [barrier detachErrorBarrier];
  [target release];
  CHECK([set containsObject:barrier]);
}

TEST("more methods than the cache of signatures holds are forwarded all the same") {
  NSMutableString *target = [NSMutableString string];
  id barrier = [AMErrorBarrier barrierWithTarget:target];
  unsigned int count = 0;
  Method *methods = class_copyMethodList([NSString class], &count);
  int forwarded = 0;
  for (unsigned int index = 0; index < count && forwarded < 100; index++) {
    const char *types = method_getTypeEncoding(methods[index]);
    const char *name = sel_getName(method_getName(methods[index]));
    // Getters that return an object or an integer: they want nothing.
    if (types == NULL || strchr(name, ':') != NULL || name[0] == '_' || strchr("QqiIcC", types[0]) == NULL) continue;
    SEL selector = method_getName(methods[index]);
    if (strcmp(name, "retainCount") == 0) continue;
    CHECK([barrier methodSignatureForSelector:selector] != nil);
    forwarded++;
  }
  free(methods);
  for (int index = 0; index < 80; index++) {
    NSString *name = [NSString stringWithFormat:@"someMethod%d:", index];
    CHECK([barrier methodSignatureForSelector:NSSelectorFromString(name)] != nil);
  }
  [barrier appendString:@"ok"];
  CHECK([target isEqualToString:@"ok"]);
}
