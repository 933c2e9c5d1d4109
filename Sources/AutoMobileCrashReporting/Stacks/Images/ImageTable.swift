import AutoMobileSupport

/// An executable or a library as it lay in a process.
struct Image: Sendable, Equatable {
  /// Where the file was loaded from.
  var path: String
  /// Where its first byte was loaded.
  var base: UInt64
  /// In bytes, from the first byte to the last.
  var size: UInt64
  /// The build id, or the UUID on Apple platforms, in hexadecimal digits; nil when it has none or nobody looked yet.
  var identifier: String?
  /// The file's number on its volume, when known: a file with another number is another file.
  var inode: UInt64?

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// The images of a process, found by address.
struct ImageTable: Sendable, Equatable {
  /// By where they begin.
  let images: [Image]

  /// More than any process has.
  static let maximumCount = 8192

  init(_ images: some Sequence<Image>) {
    self.images = images.filter { $0.size > 0 && !$0.base.addingReportingOverflow($0.size).overflow }
      .prefix(Self.maximumCount).ordered { $0.base < $1.base }
  }

  /// The image that holds an address, as an index into ``images``.
  func index(of address: UInt64) -> Int? {
    var low = 0
    var high = images.count
    while low < high {
      let middle = (low + high) / 2
      if images[middle].base <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address &- images[low - 1].base < images[low - 1].size else { return nil }
    return low - 1
  }
}
