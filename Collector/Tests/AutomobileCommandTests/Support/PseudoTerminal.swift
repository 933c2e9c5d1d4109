import Foundation

@testable import automobile

/// Runs the program in a terminal of its own, and keeps what it writes there, byte by byte.
enum PseudoTerminal {
  struct Result {
    var code: Int32
    /// Output and errors, as the terminal gets them.
    var bytes: Data
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// - Parameter isColoured: whether the program may use colours.
  static func run(
    _ arguments: [String], isColoured: Bool = false, columns: Int = 200, environment: [String: String] = [:]
  ) async throws -> Result {
    let (master, slave) = try open()
    let process = Process()
    process.executableURL = Tool.path
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    variables["NO_COLOR"] = isColoured ? nil : "1"
    variables["AUTOMOBILE_KEY"] = nil
    variables["AUTOMOBILE_URL"] = nil
    variables["XDG_CONFIG_HOME"] = "/dev/null/none"
    variables["COLUMNS"] = "\(columns)"
    variables["TERM"] = "xterm-256color"
    process.environment = variables.merging(environment) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = slave
    process.standardError = slave
    let reader = Reader(master)
    try process.run()
    // The terminal ends when nobody has its other side.
    try slave.close()
    let bytes = await reader.bytes()
    process.waitUntilExit()
    return Result(code: process.terminationStatus, bytes: bytes)
  }

  private static func open() throws -> (master: FileHandle, slave: FileHandle) {
    let master = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0 else { throw POSIXError(.ENOTTY) }
    // What `unlockpt` and `ptsname` do; the C library declares them only to those who ask for it.
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(master, UInt(0x4004_5431), &isLocked) == 0, ioctl(master, UInt(0x8004_5430), &number) == 0 else {
      throw POSIXError(.ENOTTY)
    }
    let slave = Foundation.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw POSIXError(.ENOTTY) }
    // Nothing of what comes is changed on the way: no return before a line feed.
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    return (
      FileHandle(fileDescriptor: master, closeOnDealloc: true), FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    )
  }

  /// Reads on a thread of its own, so that the program is not held up.
  private final class Reader: Sendable {
    private let parts: AsyncStream<Data>

    init(_ master: FileHandle) {
      let (parts, continuation) = AsyncStream<Data>.makeStream()
      self.parts = parts
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = read(master.fileDescriptor, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          // When the last has closed the other side, Linux says EIO.
          guard count > 0 else { break }
          continuation.yield(Data(buffer[..<count]))
        }
        continuation.finish()
      }
    }

    func bytes() async -> Data {
      var all = Data()
      for await part in parts { all += part }
      return all
    }
  }
}
