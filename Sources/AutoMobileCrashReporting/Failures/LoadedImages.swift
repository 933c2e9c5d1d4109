import AutoMobileRecorder
import AutoMobileSupport
import Dispatch

/// The images of this process, kept ready for whoever has to name the image of an address without reading anything.
final class LoadedImages: Sendable {
  private struct State {
    var unwinder: StackUnwinder?
    var isReading = false
  }

  private let state = Locked(State())
  private let queue = BackgroundQueue.make("images")

  init() {}

  /// Reads the list again, in the background.
  func refresh() {
    let isFirst = state.withLock { state in
      defer { state.isReading = true }
      return !state.isReading
    }
    guard isFirst else { return }
    queue.async { [self] in
      let unwinder = Self.read()
      state.withLock { state in
        state.unwinder = unwinder
        state.isReading = false
      }
    }
  }

  /// The list as it was last read; the first caller that comes before that reads it.
  ///
  /// - Parameter addresses: when one of them lies in an image that is not on the list, it is read again, for the next
  ///   time.
  func current(for addresses: [UInt64]) -> StackUnwinder {
    guard let unwinder = state.withLock({ $0.unwinder }) else {
      let unwinder = Self.read()
      state.withLock { $0.unwinder = $0.unwinder ?? unwinder }
      return unwinder
    }
    if addresses.contains(where: { unwinder.images.index(of: $0) == nil }) { refresh() }
    return unwinder
  }

  /// With the identifiers, which may have to be read from the files; these are closed again.
  private static func read() -> StackUnwinder {
    let table = ImageTable.current()
    let files = ImageFiles(table)
    let images = table.images.enumerated().map { index, image in
      var image = image
      image.identifier = image.identifier ?? files.entry(index)?.elf.buildId
      return image
    }
    let unwinder = StackUnwinder(images: ImageTable(images))
    // Of the few that have none, it is known from now on.
    for index in images.indices where images[index].identifier == nil { _ = unwinder.files.entry(index) }
    return unwinder
  }
}
