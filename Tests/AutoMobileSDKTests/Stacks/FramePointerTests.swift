import Foundation
import TestTools
import Testing

@testable import AutoMobileCrashReporting

/// Walks by frame pointers alone, as on Apple platforms.
@Suite struct FramePointerTests {
  private let unwinder = StackUnwinder(images: ImageTable([Image(path: "/nowhere/app", base: 0x1_0000, size: 0x1000)]))

  /// Frames at 0x7000, 0x7100, …, each pointing to the next.
  private func stack(_ addresses: [UInt64]) -> StackWindow {
    var bytes = [UInt8](repeating: 0, count: addresses.count * 0x100 + 16)
    for (index, address) in addresses.enumerated() {
      let next = index + 1 < addresses.count ? 0x7000 + UInt64(index + 1) * 0x100 : 0
      for (offset, word) in [(0, next), (8, address)] {
        withUnsafeBytes(of: word) {
          bytes.replaceSubrange(index * 0x100 + offset..<index * 0x100 + offset + 8, with: $0)
        }
      }
    }
    return StackWindow(address: 0x7000, bytes: bytes)
  }

  private func registers(_ architecture: Architecture, frame: UInt64 = 0x7000) -> RegisterFile {
    var registers = RegisterFile(architecture)
    registers.programCounter = 0x1_0010
    registers.stackPointer = 0x6FF0
    registers.framePointer = frame
    return registers
  }

  @Test(arguments: [Architecture.arm64, .x86_64])
  func `the chain leads to its end`(architecture: Architecture) {
    let walked = unwinder.unwind(
      registers: registers(architecture), stack: stack([0x1_0100, 0x1_0200, 0x1_0300, 0]))
    #expect(walked.frames.map(\.address) == [0x1_0010, 0x1_0100, 0x1_0200, 0x1_0300])
    #expect(walked.frames.map(\.trust) == [.context, .framePointer, .framePointer, .framePointer])
    #expect(walked.frames.allSatisfy { $0.image == 0 })
    #expect(!walked.isTruncated)
  }

  @Test func `signatures in return addresses are taken off`() {
    let walked = unwinder.unwind(registers: registers(.arm64), stack: stack([0xAB12_0000_0001_0100, 0]))
    #expect(walked.frames.map(\.address) == [0x1_0010, 0x1_0100])
  }

  @Test func `a chain that turns back ends there`() {
    var bytes = [UInt8](repeating: 0, count: 0x40)
    for (offset, word) in [(0, 0x7020), (8, 0x1_0100), (0x20, 0x7000), (0x28, 0x1_0200)] as [(Int, UInt64)] {
      withUnsafeBytes(of: word) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
    }
    let walked = unwinder.unwind(
      registers: registers(.arm64), stack: StackWindow(address: 0x7000, bytes: bytes))
    #expect(walked.frames.count <= 4)
    #expect(walked.isTruncated)
  }

  @Test func `random stacks neither trap nor spin`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    for architecture in [Architecture.arm64, .x86_64] {
      for _ in 0..<500 * SeededRandom.rounds {
        let words = (0..<256).map { _ -> UInt64 in
          switch random.next() % 4 {
          case 0: 0x1_0000 + random.next() % 0x1000
          case 1: 0x7000 + random.next() % 0x800 & ~7
          case 2: 0
          default: random.next()
          }
        }
        let bytes = words.withUnsafeBytes { Array($0) }
        var registers = RegisterFile(architecture, (0..<33).map { _ in 0x7000 + random.next() % 0x800 & ~7 })
        registers.programCounter = random.next() % 3 == 0 ? random.next() : 0x1_0020
        let walked = unwinder.unwind(
          registers: registers, stack: StackWindow(address: 0x7000, bytes: bytes), limit: 100)
        #expect(walked.frames.count <= 100, "seed \(seed)")
      }
    }
  }
}
