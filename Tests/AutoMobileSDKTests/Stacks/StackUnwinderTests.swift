#if os(Linux)
@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
import Foundation
import StackCapture
import Testing

/// The walk, compared with what the C library's own unwinder says of the same stacks.
@Suite struct StackUnwinderTests {
  @Test func `through a library without frame pointers it finds what backtrace finds`() throws {
    let capture = try Capture { stack_capture_in_qsort($0) }
    try capture.expectTruth(from: 1)
    #expect(capture.names.contains { $0.contains("qsort") })
    #expect(Set(capture.unwound.frames.dropFirst().map(\.trust)) == [.cfi])
  }

  @Test func `a signal handler's stack leads to what the signal interrupted`() throws {
    let capture = try Capture { stack_capture_in_signal($0) }
    try capture.expectTruth(from: 1)
    #expect(!["raise", "gsignal"].filter(capture.names.contains).isEmpty)
    // The trampoline's caller is the interrupted instruction itself, and not one behind a call.
    #expect(capture.unwound.frames.filter { $0.trust == .context }.count == 2)
  }

  @Test func `a thread that sleeps in the C library is walked from its registers to its beginning`() throws {
    let capture = try Capture { stack_capture_of_sleeper($0) }
    try capture.expectTruth(from: 0)
    #expect(!capture.unwound.isTruncated)
    #expect(capture.names.contains("sleeper"))
  }

  @Test func `a limit is kept, and said to be the reason`() throws {
    let capture = try Capture(limit: 20) { stack_capture_in_recursion($0, 60) }
    #expect(capture.unwound.frames.count == 20)
    #expect(capture.unwound.isTruncated)
  }

  @Test func `a walk ends with the window, and says so`() throws {
    let capture = try Capture(bytes: 2048) { stack_capture_in_recursion($0, 60) }
    #expect(capture.unwound.isTruncated)
    #expect(capture.unwound.frames.count > 5)
    try capture.expectTruth(from: 1, isWhole: false)
  }

  @Test func `without call-frame information frame pointers serve, and without those a search`() throws {
    let capture = try Capture { stack_capture_in_recursion($0, 10) }
    let unwinder = StackUnwinder(images: ImageTable.current())
    var step = StackUnwinder.Step(registers: capture.registers, trust: .context)
    guard case .found(let byPointer) = unwinder.callerByFramePointer(of: step, capture.stack) else {
      Issue.record("no caller by frame pointer")
      return
    }
    #expect(byPointer.registers.programCounter == capture.truth[1])
    #expect(byPointer.trust == .framePointer)
    step.registers.framePointer = nil
    var scanned: [UInt64] = []
    while scanned.count < 40, let next = unwinder.callerByScan(of: step, capture.stack) {
      scanned.append(next.registers.programCounter ?? 0)
      #expect(next.trust == .scan)
      step = next
    }
    #expect(Set(capture.truth[1..<10]).isSubset(of: Set(scanned)))
  }

  @Test func `a jump to an address without code still shows who jumped`() throws {
    let capture = try Capture { stack_capture_in_recursion($0, 10) }
    #if arch(x86_64)
    // As after a call through a null pointer: the return address was pushed.
    let place = capture.stackStart &- 8
    var bytes = withUnsafeBytes(of: capture.truth[2]) { Array($0) }
    bytes += capture.stackBytes
    var registers = capture.registers
    registers.stackPointer = place
    registers.programCounter = 0
    let unwound = StackUnwinder(images: ImageTable.current())
      .unwind(registers: registers, stack: StackWindow(address: place, bytes: bytes))
    #expect(unwound.frames[0].address == 0)
    #expect(unwound.frames[1].address == capture.truth[2])
    #endif
  }
}

/// A stack of this process, its walk, and the truth about it.
private struct Capture {
  let registers: RegisterFile
  let stackStart: UInt64
  let stackBytes: [UInt8]
  let truth: [UInt64]
  var unwound: UnwoundStack
  var stack: StackWindow { StackWindow(address: stackStart, bytes: stackBytes) }
  var names: [String] { unwound.frames.compactMap(\.symbol) }

  init(
    limit: Int = StackUnwinder.defaultLimit, bytes: Int = .max,
    _ body: (UnsafeMutablePointer<stack_capture>) -> Bool
  ) throws {
    let capture = UnsafeMutablePointer<stack_capture>.allocate(capacity: 1)
    defer { capture.deallocate() }
    try #require(body(capture))
    let count = Int(capture.pointee.register_count)
    registers = RegisterFile(
      .current,
      withUnsafeBytes(of: capture.pointee.registers) {
        Array($0.bindMemory(to: UInt64.self).prefix(count))
      })
    stackStart = capture.pointee.stack_start
    let length = min(bytes, capture.pointee.stack_length)
    stackBytes = Array(UnsafeBufferPointer(start: stack_capture_bytes(capture), count: length))
    let truthCount = Int(capture.pointee.truth_count)
    truth = withUnsafeBytes(of: capture.pointee.truth) { Array($0.bindMemory(to: UInt64.self).prefix(truthCount)) }
    let unwinder = StackUnwinder(images: ImageTable.current())
    unwound = unwinder.unwind(
      registers: registers, stack: StackWindow(address: stackStart, bytes: stackBytes), limit: limit)
    var stacks = [unwound.frames]
    SymbolNames(files: unwinder.files).name(&stacks)
    unwound.frames = stacks[0]
  }

  /// From some frame on, the walk found exactly what `backtrace` found.
  func expectTruth(from first: Int, isWhole: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let found = unwound.frames.map(\.address)
    let compared = isWhole ? truth.count : min(truth.count, found.count)
    #expect(Array(found[first...]) == Array(truth[first..<compared]), "\(description)", sourceLocation: sourceLocation)
  }

  private var description: String {
    unwound.frames.map { "\(HexDigits.text($0.address)) \($0.trust) \($0.symbol ?? "?")" }.joined(separator: "\n")
  }
}
#endif
