import Foundation

// libFuzzer is linked in by `-sanitize=fuzzer`. Its own `main` would do, if SwiftPM did not bring one of its own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The name that libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  FuzzTarget.chosen.run(UnsafeRawBufferPointer(start: bytes, count: length))
  return 0
}

extension FuzzTarget {
  fileprivate static let chosen =
    FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "") ?? FuzzTarget.allCases[0]
}

private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv
exit(runFuzzer(&count, &arguments, testOneInput))
