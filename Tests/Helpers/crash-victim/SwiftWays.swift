import Foundation

// Ways to die that Swift checks. The line that dies is marked with a comment that the tests look for.

/// What the compiler must not see through.
@inline(never) func opaque<Value>(_ value: Value) -> Value { value }

@inline(never) func hangForEver() {
  while opaque(true) { usleep(1000) }  // dies: hangForEver
}

@inline(never) func dieOfPrecondition() {
  precondition(opaque(1) > 2, "one is more than two")  // dies: dieOfPrecondition
}

@inline(never) func dieOfNil() {
  let nothing: Int? = opaque(nil)
  // swift-format-ignore: NeverForceUnwrap
  print(nothing!)  // dies: dieOfNil
}

@inline(never) func dieOfIndex() {
  let numbers = opaque([1, 2, 3])
  print(numbers[opaque(7)])  // dies: dieOfIndex
}
