import Foundation
import TestTools
import Testing

@testable import AutoMobileCrashReporting

/// Call-frame information, instruction by instruction.
@Suite struct CallFrameTests {
  /// `z` and `R`; code in steps of `code`, data in steps of -8.
  private func entry(code: UInt8 = 1, returnAddress: UInt8 = 16) throws -> CommonInformationEntry {
    let content: [UInt8] = [0, 0, 0, 0, 1, 0x7A, 0x52, 0, code, 0x78, returnAddress, 1, 0x1B]
    return try #require(CommonInformationEntry(withUnsafeBytes(of: UInt32(content.count)) { Array($0) } + content))
  }

  private func row(
    _ shared: [UInt8], _ own: [UInt8], at address: UInt64, code: UInt8 = 1, returnAddress: UInt8 = 16
  ) throws -> CallFrameRow? {
    let bytes = shared + own
    var program = CallFrameProgram(
      try entry(code: code, returnAddress: returnAddress), bytes: bytes, start: 1000, address: 1000 + address)
    guard program.run(0..<shared.count) else { return nil }
    program.beginFunction()
    return program.run(shared.count..<bytes.count) ? program.row : nil
  }

  @Test func `an entry says how its functions are to be read`() throws {
    let entry = try entry()
    #expect(entry.dataAlignment == -8)
    #expect(entry.returnAddress == 16)
    #expect(entry.pointers == PointerEncoding(rawValue: 0x1B))
    #expect(entry.hasAugmentation && !entry.isSignalFrame)
  }

  @Test func `a function on x86-64 that pushes its frame pointer`() throws {
    // def_cfa rsp+8, ra at cfa-8 | 1 byte on: cfa offset 16, rbp at cfa-16 | 3 on: def_cfa_register rbp | 9 on: rsp+8
    let shared: [UInt8] = [0x0C, 7, 8, 0x90, 1]
    let own: [UInt8] = [0x41, 0x0E, 16, 0x86, 2, 0x43, 0x0D, 6, 0x0A, 0x49, 0x0C, 7, 8, 0xC6, 0x41, 0x0B]
    var expected = CallFrameRow()
    expected.address = .register(7, offset: 8)
    expected[16] = .offset(-8)
    #expect(try row(shared, own, at: 0) == expected)
    expected.address = .register(7, offset: 16)
    expected[6] = .offset(-16)
    #expect(try row(shared, own, at: 1) == expected)
    expected.address = .register(6, offset: 16)
    #expect(try row(shared, own, at: 5) == expected)
    #expect(try row(shared, own, at: 14) == expected)
    var left = expected
    left.address = .register(7, offset: 8)
    left[6] = .unspecified
    #expect(try row(shared, own, at: 13) == left)
  }

  @Test func `a function on arm64 that signs its return address`() throws {
    // def_cfa sp+0 | 4 bytes on: signed | 8 on: cfa offset 32, x29 at cfa-32, x30 at cfa-24
    let own: [UInt8] = [0x41, 0x2D, 0x41, 0x0E, 32, 0x9D, 4, 0x9E, 3]
    let row = try #require(try row([0x0C, 31, 0], own, at: 8, code: 4, returnAddress: 30))
    #expect(row.address == .register(31, offset: 32))
    #expect(row[29] == .offset(-32))
    #expect(row[30] == .offset(-24))
    #expect(row[19] == .unspecified)
  }

  @Test(arguments: [
    ([0x0B], "nothing to restore"), ([0x0E, 8], "an offset to no register"), ([0x0D, 3], "a register for no offset"),
    ([0x3F], "no instruction"), ([0x0F, 200, 1], "an expression beyond the end"), ([0x03, 1], "a cut number"),
  ])
  func `instructions that make no sense are refused`(instructions: [UInt8], what: String) throws {
    #expect(try row([], instructions, at: 0) == nil, "\(what)")
  }

  @Test func `the expression of a procedure linkage table`() throws {
    // As linkers write it: rsp + 8 + ((rip & 15) >= 11) * 8
    let bytes: [UInt8] = [0x77, 8, 0x80, 0, 0x3F, 0x1A, 0x3B, 0x2A, 0x33, 0x24, 0x22]
    func frame(_ rip: UInt64) -> UInt64? {
      var registers = RegisterFile(.x86_64)
      registers.stackPointer = 0x1000
      registers.programCounter = rip
      return DWARFExpression(bytes: bytes, registers: registers, stack: StackWindow(address: 0, bytes: []))
        .value(of: 0..<bytes.count)
    }
    #expect(frame(0x4010) == 0x1008)
    #expect(frame(0x401B) == 0x1010)
    #expect(
      DWARFExpression(bytes: bytes, registers: RegisterFile(.x86_64), stack: StackWindow([])).value(of: 0..<2) == nil)
  }

  @Test func `an expression reads the stack, and nothing else`() {
    let stack = StackWindow(address: 0x1000, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
    func value(_ bytes: [UInt8]) -> UInt64? {
      DWARFExpression(bytes: bytes, registers: RegisterFile(.arm64), stack: stack).value(of: 0..<bytes.count)
    }
    #expect(value([0x0A, 0x00, 0x10, 0x06]) == 0x0807_0605_0403_0201)
    #expect(value([0x0A, 0x02, 0x10, 0x94, 2]) == 0x0403)
    #expect(value([0x0A, 0x01, 0x10, 0x06]) == nil)
    #expect(value([0x31, 0x30, 0x1B]) == nil, "a division by zero")
    #expect(value([0x2F, 0xFD, 0xFF]) == nil, "an endless loop")
  }

  @Test func `random bytes neither trap nor spin`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    let entry = try entry()
    var registers = RegisterFile(.x86_64, (0..<17).map { $0 << 60 | 0x1000 + $0 })
    registers[3] = nil
    let stack = StackWindow(address: 0x1000, bytes: [UInt8](repeating: 0xFF, count: 64))
    for _ in 0..<20_000 * SeededRandom.rounds {
      let bytes = (0..<Int(random.next() % 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var program = CallFrameProgram(entry, bytes: bytes, start: .max - random.next() % 64, address: .max)
      _ = program.run(0..<bytes.count)
      _ = DWARFExpression(bytes: bytes, registers: registers, stack: stack).value(of: 0..<bytes.count, initial: 1)
      _ = CommonInformationEntry(bytes)
      _ = CommonInformationEntry([30, 0, 0, 0, 0, 0, 0, 0, 1, 0x7A, 0x50, 0x52, 0x53, 0] + bytes)
    }
  }
}
