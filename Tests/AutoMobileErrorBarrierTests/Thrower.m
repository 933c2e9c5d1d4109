#import "Thrower.h"

#pragma clang diagnostic ignored "-Wprotocol"
@implementation Thrower

@synthesize throws = _throws, barrier = _barrier, calls = _calls;

- (void)enter {
  _calls++;
  if (_throws) [NSException raise:@"Thrown" format:@"call %d", _calls];
}

#define METHOD(type, name, value) \
  -(type)name {                   \
    [self enter];                 \
    return value;                 \
  }

METHOD(BOOL, boolean, YES)
METHOD(char, character, 'c')
METHOD(short, shortInteger, -7)
METHOD(int, integer, -70000)
METHOD(long long, longInteger, -7000000000LL)
METHOD(unsigned long long, unsignedInteger, 18000000000000000000ULL)
METHOD(float, number, 1.5f)
METHOD(double, doubleNumber, 2.5)
METHOD(long double, longDoubleNumber, 3.5L)
METHOD(const char *, text, "text")
METHOD(void *, pointer, self)
METHOD(SEL, selector, @selector(pointer))
METHOD(Class, type, [NSString class])
METHOD(id, object, @"object")
METHOD(NSRange, range, NSMakeRange(3, 4))
METHOD(Small, small, (Small){5})
METHOD(Rectangle, rectangle, ((Rectangle){1, 2, 3, 4}))

- (void)nothing {
  [self enter];
}

- (Large)large {
  [self enter];
  return (Large){.a = {1, 2, 3, 4}, .i = {5, 6, 7, 8}};
}

- (Rectangle)rectangle:(Rectangle)rectangle movedBy:(double)x and:(double)y times:(int)times named:(NSString *)name {
  [self enter];
  rectangle.x += x * times + [name length];
  rectangle.y += y * times;
  return rectangle;
}

/// Goes through the barrier again at every step, and throws at the last.
- (int)depth:(int)depth {
  if (depth == 0) [self enter];
  return depth == 0 ? 1 : 1 + [(Thrower *)_barrier depth:depth - 1];
}

- (int)sumOf:(int)count, ... {
  _calls++;
  // Reads only what a barrier can pass on.
  return count;
}

@end

Protocol *measuring(void) { return @protocol(Measuring); }
