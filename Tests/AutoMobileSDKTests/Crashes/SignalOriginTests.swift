import CAutoMobile
import Foundation
import Testing

/// How XNU's signals are told from each other: sent by somebody, or raised by an instruction.
@Suite struct SignalOriginTests {
  private static func syndrome(_ exceptionClass: UInt32) -> UInt32 { exceptionClass << 26 | 0x0200_0046 }

  @Test func `a failed Swift check on arm64 is a fault, although its code is 0`() {
    let brk = Self.syndrome(0x3C)
    #expect(am_signal_is_arm_fault(SIGTRAP, brk))
    #expect(!am_signal_is_arm_fault(SIGSEGV, brk))
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP])
  func `what arrives on the way out of a system call was sent, whatever its code`(_ number: Int32) {
    #expect(!am_signal_is_arm_fault(number, Self.syndrome(0x15)))
    // On Intel no trap at all, or the number of an interrupt.
    #expect(!am_signal_is_intel_fault(number, 0x85))
    #expect(!am_signal_is_intel_fault(number, 0xDE))
  }

  @Test func `an access to no memory is a fault, of data and of instructions`() {
    for exceptionClass: UInt32 in [0x20, 0x24] {
      #expect(am_signal_is_arm_fault(SIGSEGV, Self.syndrome(exceptionClass)))
      #expect(am_signal_is_arm_fault(SIGBUS, Self.syndrome(exceptionClass)))
      #expect(!am_signal_is_arm_fault(SIGILL, Self.syndrome(exceptionClass)))
    }
    #expect(am_signal_is_intel_fault(SIGSEGV, 14) && am_signal_is_intel_fault(SIGBUS, 13))
  }

  @Test func `an instruction that does not exist, a division and a breakpoint are faults`() {
    #expect(am_signal_is_arm_fault(SIGILL, 0) && am_signal_is_intel_fault(SIGILL, 6))
    #expect(am_signal_is_arm_fault(SIGFPE, Self.syndrome(0x2C)) && am_signal_is_intel_fault(SIGFPE, 0))
    #expect(am_signal_is_intel_fault(SIGTRAP, 3))
  }
}
