#import <Foundation/Foundation.h>

typedef struct {
  int32_t a;
} Small;
typedef struct {
  double x, y, width, height;
} Rectangle;
/// Too large for the stack buffer that a barrier zeroes with. (GNUstep cannot return a structure with an array in it.)
typedef struct {
  Rectangle a, b, c, d, e, f, g, h, i;
} Large;

/// GNU's runtime does not tell of optional methods, so these are none; but nobody implements them.
@protocol Measuring
- (double)missingRatio;
- (Large)missingLarge;
@end

/// Has a method of each return type. (GNUstep cannot forward one that takes or returns a block.) Each throws, or gives something that is not zero.
@interface Thrower : NSObject <Measuring> {
  BOOL _throws;
  id _barrier;
  int _calls;
}
@property(nonatomic) BOOL throws;
/// The barrier before this object, for recursion through it.
@property(nonatomic, assign) id barrier;
@property(nonatomic) int calls;

- (void)nothing;
- (BOOL)boolean;
- (char)character;
- (short)shortInteger;
- (int)integer;
- (long long)longInteger;
- (unsigned long long)unsignedInteger;
- (float)number;
- (double)doubleNumber;
- (long double)longDoubleNumber;
- (const char *)text;
- (void *)pointer;
- (SEL)selector;
- (Class)type;
- (id)object;
- (NSRange)range;
- (Small)small;
- (Rectangle)rectangle;
- (Large)large;
- (Rectangle)rectangle:(Rectangle)rectangle movedBy:(double)x and:(double)y times:(int)times named:(NSString *)name;
- (int)depth:(int)depth;
- (int)sumOf:(int)count, ...;
@end

/// The protocol as the class knows it: GNU's runtime compares protocols of different files as different.
Protocol *measuring(void);
