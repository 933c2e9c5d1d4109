#if canImport(Darwin)
import Darwin

/// Symbols of Apple's images: most are in the shared cache and no files of their own, but the same image is loaded in
/// this process, too, and the loader knows its symbols.
enum LoadedSymbols {
  static func symbols(of image: Image, at addresses: Set<UInt64>) -> [UInt64: Symbol] {
    guard let identifier = image.identifier else { return [:] }
    if let own = ImageTable.current().images.first(where: { $0.identifier == identifier }) {
      return symbols(in: own, slide: own.base &- image.base, at: addresses)
    }
    guard let source = FileBytes(path: image.path),
      let file = MachOFile(source, architecture: .current), file.uuid == identifier
    else { return [:] }
    let bias = image.base &- file.text.lowerBound
    return file.symbols(at: addresses.map { $0 &- bias }).reduce(into: [:]) { result, found in
      result[found.key &+ bias] = Symbol(name: found.value.name, address: found.value.address &+ bias)
    }
  }

  /// - Parameter slide: how much higher the image lies in this process.
  private static func symbols(in own: Image, slide: UInt64, at addresses: Set<UInt64>) -> [UInt64: Symbol] {
    addresses.reduce(into: [:]) { result, address in
      let here = address &+ slide
      var info = Dl_info()
      guard here >= own.base, here - own.base < own.size, let pointer = UnsafeRawPointer(bitPattern: UInt(here)),
        dladdr(pointer, &info) != 0, let name = info.dli_sname, let start = info.dli_saddr
      else { return }
      result[address] = Symbol(name: String(cString: name), address: UInt64(UInt(bitPattern: start)) &- slide)
    }
  }
}
#endif
