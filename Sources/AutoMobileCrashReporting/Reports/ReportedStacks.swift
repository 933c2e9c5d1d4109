import AutoMobileRecorder

/// Makes the frames of reports out of walked stacks, and keeps the list of the images that they name.
struct ReportedStacks {
  private let table: ImageTable
  private let architecture: String?
  private let files: ImageFiles
  /// By their index in the table.
  private var numbers: [Int: Int] = [:]
  private(set) var images: [DiagnosticReport.Image] = []

  init(_ unwinder: StackUnwinder, architecture: Architecture?) {
    table = unwinder.images
    files = unwinder.files
    self.architecture = architecture?.rawValue
  }

  mutating func frames(_ stack: [StackFrame]) -> [DiagnosticReport.Frame] {
    stack.map { frame in
      let number = frame.image.map { self.number(of: $0) }
      return DiagnosticReport.Frame(
        address: CodeAddress(frame.address), image: number,
        offset: frame.image.map { CodeAddress(frame.address &- table.images[$0].base) }, symbol: frame.symbol,
        symbolOffset: frame.symbolOffset, trust: frame.trust.rawValue)
    }
  }

  private mutating func number(of index: Int) -> Int {
    if let number = numbers[index] { return number }
    let image = table.images[index]
    images.append(
      DiagnosticReport.Image(
        name: image.name, path: image.path, uuid: image.identifier ?? files.entry(index)?.elf.buildId,
        base: CodeAddress(image.base), size: image.size, architecture: architecture))
    numbers[index] = images.count - 1
    return images.count - 1
  }
}
