/// Looks up the names of functions in the symbol tables of images.
struct SymbolNames: Sendable {
  let files: ImageFiles

  /// Gives the frames of some stacks their names, reading each image's table once.
  ///
  /// Names stay as the linker has them. Reads files: not for the main thread.
  func name(_ stacks: inout [[StackFrame]]) {
    var wanted: [Int: Set<UInt64>] = [:]
    for frame in stacks.joined() {
      if let image = frame.image { wanted[image, default: []].insert(frame.instruction) }
    }
    let found = wanted.reduce(into: [Int: [UInt64: Symbol]]()) { $0[$1.key] = symbols(in: $1.key, at: $1.value) }
    for stack in stacks.indices {
      for index in stacks[stack].indices {
        let frame = stacks[stack][index]
        guard let image = frame.image, let symbol = found[image]?[frame.instruction] else { continue }
        stacks[stack][index].symbol = symbol.name
        stacks[stack][index].symbolOffset = frame.address &- symbol.address
      }
    }
  }

  /// By the process's addresses.
  private func symbols(in image: Int, at addresses: Set<UInt64>) -> [UInt64: Symbol] {
    #if canImport(Darwin)
    return LoadedSymbols.symbols(of: files.table.images[image], at: addresses)
    #else
    guard let file = files.entry(image) else { return [:] }
    var result: [UInt64: Symbol] = [:]
    for (address, symbol) in file.elf.symbols(at: addresses.map { $0 &- file.bias }) {
      result[address &+ file.bias] = Symbol(name: symbol.name, address: symbol.address &+ file.bias)
    }
    return result
    #endif
  }
}
