import Foundation
import Testing

@testable import AutoMobileCollector

/// A small program with debug information that has really crashed, and where it was.
struct CrashedProgram: Sendable {
  let path: String
  let buildID: String
  let base: UInt64
  /// From the fault outwards.
  let addresses: [UInt64]

  /// Built and crashed once for all tests.
  static var shared: CrashedProgram { get async throws { try await made.value } }

  private static let directory = FileManager.default.temporaryDirectory
    .appending(path: "collector-test-\(UUID().uuidString)")

  private static let made = Task {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: CrashedProgram.directory) }
    return try await CrashedProgram(in: directory)
  }

  private init(in directory: URL) async throws {
    let source = directory.appending(path: "checkout.swift")
    try Self.source.write(to: source, atomically: true, encoding: .utf8)
    path = directory.appending(path: "checkout").path
    _ = try await Shell.run("swiftc", "-g", "-O", "-Xlinker", "--build-id", "-o", path, source.path)
    let said = try await Shell.run(path)
    var base: UInt64 = 0
    var addresses: [UInt64] = []
    for line in said.split(separator: "\n") {
      let words = line.split(separator: " ")
      let value = UInt64(words.last?.dropFirst(2) ?? "", radix: 16) ?? 0
      if words.first == "base" { base = value }
      if words.first == "frame" { addresses.append(value) }
    }
    self.base = base
    self.addresses = addresses
    let notes = try await Shell.run("readelf", "-n", path)
    let line = notes.split(separator: "\n").first { $0.contains("Build ID:") }
    buildID = try #require(line?.split(separator: " ").last.map(String.init))
  }

  /// The report that the SDK would make of it.
  ///
  /// - Parameter names: symbol names by the number of the frame.
  func report(names: [Int: String] = [:], build: String? = nil) -> String {
    let frames = addresses.enumerated().map { index, address in
      let isOwn = address >= base && address - base < 1 << 20
      let place =
        isOwn
        ? ",\"image\":0,\"offset\":\"0x\(String(address - base, radix: 16))\"" : ",\"image\":1,\"offset\":\"0x10\""
      let name = names[index].map { ",\"symbol\":\"\($0)\",\"symbolOffset\":4" } ?? ""
      let trust = index == 0 ? "context" : "cfi"
      return "{\"address\":\"0x\(String(address, radix: 16))\"\(place)\(name),\"trust\":\"\(trust)\"}"
    }
    return """
      {"format":1,"reportId":"r","kind":"signal","architecture":"x86_64","os":"Linux","process":{"name":"checkout","pid":7},\
      "signal":{"number":11,"name":"SIGSEGV","code":1,"codeName":"SEGV_MAPERR","address":"0x8"},\
      "threads":[{"id":7,"name":"main","crashed":true,"main":true,"registers":{"rip":"0x1","rsp":"0x2"},\
      "frames":[\(frames.joined(separator: ","))],"truncated":false},\
      {"id":8,"name":"worker","frames":[{"address":"0x10","image":1,"offset":"0x10","symbol":"poll","trust":"context"}]}],\
      "images":[{"name":"checkout","path":"/nowhere/checkout","uuid":"\(build ?? buildID)","base":"0x\(String(base, radix: 16))",\
      "size":1048576,"architecture":"x86_64"},\
      {"name":"libc.so.6","path":"/usr/lib/libc.so.6","uuid":"00112233445566778899","base":"0x7f0000000000","size":2000000}],\
      "notes":[]}
      """
  }

  private static let source = """
    import Glibc

    @_silgen_name("backtrace")
    func backtrace(_ addresses: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int32) -> Int32

    struct Cart {
      var prices: UnsafePointer<Int>?

      @inline(__always)
      func price(at index: Int) -> Int {
        let price = prices.unsafelyUnwrapped[index]
        return price &* price
      }

      @inline(never)
      func total(of count: Int) -> Int {
        var sum = 0
        for index in 0..<count { sum &+= price(at: index) }
        return sum
      }
    }

    @inline(never)
    func checkout(_ cart: Cart) -> Int {
      let total = cart.total(of: 3)
      return total &+ 1
    }

    /// Says where it was: the image's base, and the addresses from the fault outwards.
    func watch() {
      var action = sigaction()
      action.sa_flags = SA_SIGINFO
      action.__sigaction_handler.sa_sigaction = { number, _, _ in
        var addresses = [UnsafeMutableRawPointer?](repeating: nil, count: 64)
        let count = Int(backtrace(&addresses, 64))
        // The handler itself and what called it come first.
        for address in addresses[3..<count] { print("frame 0x" + String(UInt(bitPattern: address), radix: 16)) }
        fflush(stdout)
        _exit(0)
      }
      sigaction(SIGSEGV, &action, nil)
      let maps = fopen("/proc/self/maps", "r")
      var line = [CChar](repeating: 0, count: 4096)
      if fgets(&line, 4096, maps) != nil { print("base 0x" + String(cString: line).prefix { $0 != "-" }) }
    }

    watch()
    print(checkout(Cart(prices: UnsafePointer(bitPattern: 7 + UInt(CommandLine.argc)))))
    """
}

/// Runs other people's programs.
enum Shell {
  struct Failed: Error { var output: String }

  /// What it wrote; its output is small.
  @discardableResult
  static func run(_ arguments: String...) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      // Off the threads of Swift's concurrency: it waits.
      Thread.detachNewThread {
        continuation.resume(with: Result { try runNow(arguments) })
      }
    }
  }

  private static func runNow(_ arguments: [String]) throws -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let child = try ChildProcess("/usr/bin/env", arguments, environment: environment, joinsErrors: true)
    let output = String(
      decoding: FileHandle(fileDescriptor: child.output, closeOnDealloc: false).readDataToEndOfFile(), as: UTF8.self)
    guard child.wait() == 0 else { throw Failed(output: output) }
    return output
  }
}

extension RawBatch {
  mutating func addCrash(
    _ report: String?, at timestamp: Int = 1_700_000_000_000, version: String = "2.1", context: Int? = 1,
    domain: String = "SIGSEGV", trace: String = ""
  ) {
    let end = context.map { ",\"contextId\":\($0)" } ?? ""
    let report = report.map { ",\"report\":\($0)" } ?? ""
    add(
      .event,
      """
      {"eventType":"crash","timestamp":\(timestamp),"errorDomain":"\(domain)","errorMessage":null,\
      "stackTrace":"\(trace)","bundleId":"dev.example.shop","appVersion":"\(version)"\(end)\(report)}
      """)
  }
}
