import CAutoMobile
import Testing

@Suite struct DebuggerTests {
  @Test(arguments: [
    ("Name:\tapp\nTracerPid:\t0\nUid:\t7\n", false), ("Name:\tapp\nTracerPid:\t1203\nUid:\t7\n", true),
    ("Name:\tTracerPid:\t7\nTracerPid:\t0\n", false), ("Name:\tapp\nTracerPid:\t", false), ("", false),
  ])
  func `the system says who traces a process`(status: String, isTraced: Bool) {
    #expect(am_status_is_traced(status) == isTraced)
  }
}
