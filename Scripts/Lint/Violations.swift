// What `Scripts/lint-traps` must find, and what it must not. Never part of a product; it is only compiled.

final class Object { var value = 1 }

struct Holder {
  unowned let object: Object
  var implicit: Int!
}

func traps(_ optional: Int?, _ any: Any) throws -> Int {  // expect: recursion
  let unwrapped = optional!  // expect: trap
  let cast = any as! Int  // expect: trap
  let tried = try! traps(1, 2)  // expect: trap
  precondition(unwrapped > 1)  // expect: trap
  assert(cast > 2)  // expect: trap
  if tried == 3 { assertionFailure("no") }  // expect: trap
  if tried == 4 { preconditionFailure("no") }  // expect: trap
  fatalError("no")  // expect: trap
}

func references(_ holder: Holder) -> Int {
  holder.object.value  // expect: trap
    + holder.implicit  // expect: trap
}

func clocks(_ now: Int64, _ then: Int64, _ position: UInt64, _ count: UInt64) -> Int64 {
  var sum = now + then  // expect: arithmetic
  sum += 1  // expect: arithmetic
  let opposite = -now  // expect: arithmetic
  let distance = abs(then)  // expect: arithmetic
  let before = position - count  // expect: arithmetic
  let total = [position, count].reduce(0, +)  // expect: arithmetic
  let rate = position / count  // expect: division
  let place = position % count  // expect: division
  let range = position..<count  // expect: range
  return sum &+ opposite &+ distance &+ Int64(clamping: before &+ total &+ rate &+ place &+ range.lowerBound)
}

func conversions(_ position: UInt64, _ signed: Int, _ seconds: Double, _ small: UInt32) -> UInt8 {
  let int = Int(position)  // expect: conversion
  let word = UInt64(signed)  // expect: conversion
  let milliseconds = Int64(seconds * 1000)  // expect: conversion
  let byte = UInt8(small)  // expect: conversion
  return byte &+ UInt8(truncatingIfNeeded: int) &+ UInt8(truncatingIfNeeded: word &+ UInt64(clamping: milliseconds))
}

public func limits(maximum: Int, foreign: UInt64) -> Int {
  let more = maximum + 1  // expect: arithmetic
  let size = Int(clamping: foreign)
  return more &+ (size * 2)  // expect: arithmetic
}

func twice(_ pairs: [(Int, Int)]) -> [Int: Int] {
  Dictionary(uniqueKeysWithValues: pairs)  // expect: trap
}

indirect enum Tree { case leaf, branch([Tree]) }

func leaves(_ tree: Tree) -> Int {  // expect: recursion
  guard case .branch(let trees) = tree else { return 1 }
  return trees.reduce(0) { $0 + leaves($1) }
}

// What is fine.

func leaves(_ tree: Tree, depth: Int) -> Int {
  guard depth < 32, case .branch(let trees) = tree else { return 1 }
  return trees.reduce(0) { $0 + leaves($1, depth: depth + 1) }
}

// recursion: an event's JSON was parsed by Foundation, which stops at 512 levels.
func levels(_ tree: Tree) -> Int {
  guard case .branch(let trees) = tree else { return 1 }
  return (trees.map(levels).max() ?? 0) + 1
}

func fine(_ now: Int64, _ small: UInt32, _ byte: UInt8, _ seconds: Double, _ bytes: [UInt8]) -> Int {
  let later = now &+ 1000
  let half = later / 2
  let wide = Int(small) + Int(byte) + bytes.count * 2
  let time = seconds * 1000 + 1
  let constant = UInt64(8) * 1024
  // bounded: a byte has 256 values.
  let mask = UInt64(byte) * 2
  let other = UInt64(byte) + 1  // bounded: likewise.
  return wide + Int(clamping: half) &+ Int(truncatingIfNeeded: constant &+ mask &+ other) &+ (time > 0 ? 1 : 0)
}

func counts(_ bytes: [UInt8], _ position: UInt64, _ index: Int) -> UInt64 {
  let count = UInt64(bytes.count)
  let room = UInt64(max(0, index))
  let slot = Int(position % 8)
  let page = position / max(1, count)
  let narrow = UInt32(bytes.count)  // expect: conversion
  let quotient = position / count  // expect: division
  return room &+ UInt64(clamping: slot) &+ page &+ UInt64(narrow) &+ quotient
}
