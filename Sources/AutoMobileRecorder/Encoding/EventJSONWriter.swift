#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes the members of one event's JSON object.
///
/// It writes into memory that it borrows, usually the stack's, and moves to the heap only when that is used up; so
/// events of the usual size allocate nothing. It never traps: what does not fit ``maximumSize`` makes the whole event
/// fail, which the recorder counts. Members that are nil are left out, as `Codable` does it.
///
/// Keys are written as they are: they must need no escape, so no quotes, backslashes or control characters.
public struct EventJSONWriter: ~Copyable {
  /// The longest JSON that an event may have, in bytes. A receiver refuses bodies over 1 000 000 bytes.
  public static let maximumSize = 900_000

  private var start: UnsafeMutableRawPointer
  /// Where the next byte goes. Between this and `end` there is memory of ours.
  private(set) var cursor: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer
  private var ownsMemory = false
  private let limit: Int
  /// Why the event cannot be written. Nothing is written any more once it is set.
  private(set) var failure: EventEncodingError?

  /// Borrows `capacity` bytes at `scratch`, for as long as the writer lives.
  init(scratch: UnsafeMutableRawPointer, capacity: Int, limit: Int) {
    start = scratch
    cursor = scratch
    end = scratch + capacity
    self.limit = limit
  }

  deinit {
    if ownsMemory { free(start) }
  }

  /// What has been written.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: cursor - start) }

  /// Gives up.
  mutating func fail(_ error: EventEncodingError) {
    failure = failure ?? error
    cursor = start
    end = start
  }

  // MARK: Memory

  /// Makes sure that `count` bytes fit at `cursor`; false when the event has failed.
  @inline(__always)
  mutating func reserve(_ count: Int) -> Bool {
    end - cursor >= count || grow(by: count)
  }

  /// Moves the cursor over bytes that were written into reserved memory.
  @inline(__always)
  mutating func advance(_ count: Int) {
    cursor += count
  }

  @inline(never)
  private mutating func grow(by needed: Int) -> Bool {
    guard failure == nil else { return false }
    let count = cursor - start
    let (required, overflow) = count.addingReportingOverflow(needed)
    // The slack of a reservation may reach past the limit, the bytes may not: `finish` looks at those.
    guard !overflow, required <= limit + EventJSONWriter.slack else {
      fail(.tooLarge)
      return false
    }
    let capacity = min(max(required, (end - start) * 2), limit + EventJSONWriter.slack)
    guard let grown = ownsMemory ? realloc(start, capacity) : malloc(capacity) else {
      fail(.outOfMemory)
      return false
    }
    if !ownsMemory { grown.copyMemory(from: start, byteCount: count) }
    ownsMemory = true
    start = grown
    cursor = grown + count
    end = grown + capacity
    return true
  }

  /// What reservations may ask for beyond what they will write.
  static let slack = 64

  // MARK: The frame

  /// Writes the opening brace.
  @inline(__always)
  mutating func begin() {
    raw("{")
  }

  /// Writes the closing brace. Every member ends with a comma: the last one's gives way to the brace.
  @inline(__always)
  mutating func closeFrame(_ bracket: UInt8) {
    guard reserve(2) else { return }
    if (cursor - 1).load(as: UInt8.self) == UInt8(ascii: ",") { cursor -= 1 }
    cursor.storeBytes(of: bracket, as: UInt8.self)
    cursor += 1
  }

  /// Closes the object that ``begin()`` opened, and checks its size.
  @inline(__always)
  mutating func finish() {
    closeFrame(UInt8(ascii: "}"))
    if cursor - start > limit { fail(.tooLarge) }
  }

  /// Writes text that needs no escape, without quotes.
  @inline(__always)
  mutating func raw(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    guard reserve(count) else { return }
    cursor.copyMemory(from: text.utf8Start, byteCount: count)
    cursor += count
  }

  /// Writes bytes that are JSON already.
  mutating func raw(_ json: UnsafeRawBufferPointer) {
    guard let source = json.baseAddress, reserve(json.count) else { return }
    cursor.copyMemory(from: source, byteCount: json.count)
    cursor += json.count
  }

  /// Writes `"key":`.
  @inline(__always)
  mutating func key(_ key: StaticString) {
    let count = key.utf8CodeUnitCount
    guard reserve(count + 3) else { return }
    cursor.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    (cursor + 1).copyMemory(from: key.utf8Start, byteCount: count)
    (cursor + 1 + count).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    (cursor + 2 + count).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
    cursor += count + 3
  }

  /// Writes the comma after a value.
  @inline(__always)
  mutating func comma() {
    guard reserve(1) else { return }
    cursor.storeBytes(of: UInt8(ascii: ","), as: UInt8.self)
    cursor += 1
  }
}
