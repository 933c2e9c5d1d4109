import AutoMobileRecorder

extension DiagnosticReport {
  /// In bytes: the report itself has all of it.
  private static let maximumText = 64 * 1024

  /// The frames of a stack as the events' `stackTrace` has them, one a line: number, image, address, symbol + offset.
  func stackTrace(of frames: [Frame]) -> String {
    var text = ""
    for (number, frame) in frames.enumerated() {
      guard text.utf8.count < Self.maximumText else { return text + "\n… \(frames.count - number) more" }
      if number > 0 { text += "\n" }
      let image = frame.image.flatMap { images.indices.contains($0) ? images[$0].name : nil }
      text += "\(number)  \(image ?? "???")  \(frame.address)"
      if let symbol = frame.symbol {
        text += " \(symbol) + \(frame.symbolOffset ?? 0)"
      } else if let offset = frame.offset {
        text += " + \(offset.rawValue)"
      }
    }
    return text
  }

  /// The stack of the thread that the report is about.
  var stackTrace: String { principalThread.map { stackTrace(of: $0.frames) } ?? "" }
}
