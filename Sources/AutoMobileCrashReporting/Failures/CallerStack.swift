import CAutoMobile

/// The return addresses of the calling thread: taken quickly, and without names, which can be looked up later.
enum CallerStack {
  /// Deeper stacks are cut.
  static let maximumDepth = 64

  /// The addresses to which the calls return, the innermost first. Takes no lock once ``prepare()`` has been called.
  ///
  /// - Parameter skipped: calls of our own to leave out, this one not counted.
  @inline(never)
  static func addresses(skipping skipped: Int) -> [UInt64] {
    let wanted = maximumDepth + skipped + 1
    // No closure in between: it would be a call of its own in debug builds.
    var addresses = [UInt64](repeating: 0, count: wanted)
    let count = Int(am_caller_stack(&addresses, Int32(clamping: wanted)))
    return Array(addresses[..<count].dropFirst(skipped + 1))
  }

  /// The C library loads its unwinder when it is first needed: that reads the disk, so it is done before.
  static func prepare() { _ = addresses(skipping: 0) }
}
