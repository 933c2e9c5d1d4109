#if os(Linux)
import Foundation

/// Files of this process in a directory that are mapped or open: a journal that somebody still uses.
func filesInUse(in directory: URL) -> [String] {
  let file = FileHandle(forReadingAtPath: "/proc/self/maps")
  let maps = String(decoding: file?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
  let mapped = maps.split(separator: "\n").compactMap { line in
    line.firstIndex(of: "/").map { String(line[$0...]) }
  }
  let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  let open = numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
  return (mapped + open).filter { $0.hasPrefix(directory.path) }
}
#endif
