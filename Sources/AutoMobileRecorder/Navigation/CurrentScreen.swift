import AutoMobileSupport
import CAutoMobile

/// The screen that the app is on, for reports of crashes, hangs and failures: the last that was navigated to, unless
/// the app has a provider that knows better.
///
/// Noting a screen neither locks nor allocates: the name lies in a few words of memory, under a count that is odd while
/// they change. Any thread.
package final class CurrentScreen: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that the words are reached by atomic instructions only. The pointer never
  // changes, and lives as long as this object.
  private let words: UnsafeMutablePointer<UInt64>
  /// Odd while somebody writes; grows with every change.
  private let version = AtomicWord()
  private let provider = Locked<(@Sendable () -> String?)?>(nil)

  /// The first word holds the length.
  private static let wordCount = 33
  /// Longer names are cut, in UTF-8 bytes.
  static let maximumLength = (wordCount - 1) * 8

  init() {
    words = .allocate(capacity: Self.wordCount)
    words.initialize(repeating: 0, count: Self.wordCount)
  }

  deinit { words.deallocate() }

  /// What the provider says, or else the last screen noted; nil when there is none.
  ///
  /// Calls the provider on this thread: not while the app may be in any state.
  package var name: String? {
    provider.withLock { $0 }.flatMap { provider in
      ErrorBarrier.run(.currentScreenProvider, or: nil, provider)
    } ?? noted
  }

  /// Asks `provider` from now on; nil goes back to the last navigation.
  func setProvider(_ provider: (@Sendable () -> String?)?) {
    let before = self.provider.withLock { current in
      defer { current = provider }
      return current
    }
    withExtendedLifetime(before) {}
  }

  /// As in the beginning: no provider, no screen.
  func reset() {
    setProvider(nil)
    note("")
  }

  /// The app has navigated. When two threads say so at once, one of them is heard.
  @inline(__always)
  func note(_ screen: String) {
    let before = version.value
    guard before & 1 == 0, version.exchange(before, for: before &+ 1) else { return }
    var screen = screen
    screen.withUTF8 { utf8 in
      let utf8 = UnsafeRawBufferPointer(utf8)
      let length = min(utf8.count, Self.maximumLength)
      am_store_relaxed_u64(words, UInt64(truncatingIfNeeded: length))
      var offset = 0
      while offset + 8 <= length {
        am_store_relaxed_u64(words + 1 + offset / 8, utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      guard offset < length else { return }
      var word: UInt64 = 0
      withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: utf8[offset..<length]) }
      am_store_relaxed_u64(words + 1 + offset / 8, word)
    }
    version.store(before &+ 2)
  }

  /// Grows with every screen that is noted, the same one included. Any thread; neither locks nor allocates.
  package var changes: UInt64 { version.value }

  /// Where the crash handler finds the name: its length in UTF-8 bytes, then these.
  package var address: UnsafePointer<UInt64> { UnsafePointer(words) }

  /// The last screen that was noted.
  package var noted: String? {
    // Each time somebody wrote in between, there is a newer name to be had; a few times is enough.
    for _ in 0..<100 {
      let before = version.value
      guard before & 1 == 0 else { continue }
      let length = min(Int(clamping: am_load_acquire_u64(words)), Self.maximumLength)
      var utf8: [UInt8] = []
      for index in 0..<(length + 7) / 8 {
        withUnsafeBytes(of: am_load_acquire_u64(words + 1 + index)) { utf8.append(contentsOf: $0) }
      }
      guard version.value == before else { continue }
      // What was cut in the middle of a character loses it.
      return length == 0 ? nil : String(decoding: utf8[..<length], as: UTF8.self).trimmingReplacement
    }
    return nil
  }
}

extension String {
  /// Without the mark that stands for an incomplete character at the end.
  fileprivate var trimmingReplacement: String { hasSuffix("\u{FFFD}") ? String(dropLast()) : self }
}
