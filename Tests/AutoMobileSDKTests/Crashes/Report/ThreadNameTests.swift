import CAutoMobile
import Foundation
import Testing

@testable import AutoMobileCrashReporting

@Suite struct `Names of threads` {
  @Test(arguments: [
    ("main", "main"), ("Lädt Bilder", "Lädt Bilder"), ("", ""), ("AutoMobile jour", "AutoMobile jour"),
    ("ends\0here", "ends"), ("two\nlines", ""), ("\u{1B}[31mred", ""), ("\u{85}", ""),
  ])
  func `are texts without control characters`(name: String, expected: String) {
    #expect(ThreadName.text(Array(name.utf8)) == expected)
  }

  @Test func `that are no text are none, and a character that was cut is left out`() {
    let uuid: [UInt8] = [0x84, 0x38, 0xEE, 0x77, 0xBF, 0xAB, 0x40, 0x65, 0xB5, 0xD3, 0x16, 0x48, 0xE5, 0x57, 0x75]
    #expect(ThreadName.text(uuid) == "")
    #expect(ThreadName.text([0x40, 0xE3, 0x3E, 0xA7, 0x3E, 0x56, 0, 0]) == "")
    #expect(ThreadName.text(Array("worker für Löön".utf8.prefix(9))) == "worker f")
    #expect(ThreadName.text(Array("queue 😀".utf8.prefix(9))) == "queue ")
    #expect(ThreadName.text([0x80, 0x80, 0x80]) == "")
  }

  #if !canImport(Darwin)
  @Test(arguments: [
    ("oot.utility-qos", "com.apple.root.utility-qos"), ("oot.default-qos", "com.apple.root.default-qos"),
    ("r-initiated-qos", "com.apple.root.user-initiated-qos"), ("-qos.overcommit", "com.apple.root.*-qos.overcommit"),
    ("maintenance-qos", "com.apple.root.maintenance-qos"), ("my utility-qos", "my utility-qos"),
  ])
  func `of libdispatch are whole again`(name: String, expected: String) {
    #expect(ThreadName.text(Array(name.utf8)) == expected)
  }
  #endif

  @Test func `are the thread's own, whatever becomes of the caller's`() throws {
    for number in 0..<60 {
      let name = "journal \(number)"
      let answer = Answer()
      try #require(
        name.withCString { text in
          guard let own = strdup(text) else { return ENOMEM }
          let code = am_thread_start(
            own, AM_THREAD_BACKGROUND, 512 << 10, { Unmanaged<Answer>.fromOpaque($0).takeRetainedValue().tell() },
            Unmanaged.passRetained(answer).toOpaque())
          memset(own, 0x84, strlen(text))
          free(own)
          return code
        } == 0)
      #expect(answer.wait() == Array(name.utf8))
    }
  }
}

/// What a thread says that it is called.
private final class Answer: @unchecked Sendable {
  // Unchecked: `name` is written before the semaphore is signalled, and read after.
  private let isTold = DispatchSemaphore(value: 0)
  private var name: [UInt8] = []

  func tell() {
    var bytes = [UInt8](repeating: 0, count: 64)
    #if canImport(Darwin)
    bytes.withUnsafeMutableBytes {
      guard let text = $0.bindMemory(to: CChar.self).baseAddress else { return }
      _ = pthread_getname_np(pthread_self(), text, $0.count)
    }
    #else
    if let file = fopen("/proc/thread-self/comm", "r") {
      fread(&bytes, 1, bytes.count - 1, file)
      fclose(file)
    }
    #endif
    name = Array(bytes.prefix { $0 != 0 && $0 != 10 })
    isTold.signal()
  }

  func wait() -> [UInt8] {
    isTold.wait()
    return name
  }
}
