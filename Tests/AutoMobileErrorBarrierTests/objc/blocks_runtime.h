// GNUstep asks for this header of another blocks runtime; Swift's toolchain brings its own.
#include <Block.h>
