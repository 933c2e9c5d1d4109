import AutoMobileCollector
import Foundation

/// Finds files with debug information.
enum SymbolSearch {
  struct File {
    var path: String
    /// As a person knows it: the name of the app rather than of the file inside its dSYM.
    var name: String
    var builds: [SymbolFile]
  }

  struct Skipped {
    var path: String
    var reason: String
  }

  /// More files than this are not looked at below one directory.
  private static let most = 200_000

  /// Files named one by one must be of use; of directories everything with debug information is taken.
  ///
  /// - Throws: ``Failure`` when a path does not exist.
  static func files(at paths: [String]) throws -> (found: [File], skipped: [Skipped]) {
    var found: [File] = []
    var skipped: [Skipped] = []
    for path in paths {
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
        throw Failure(kind: .unavailable, message: "No file “\(Printable.text(path))”.")
      }
      if isDirectory.boolValue {
        found += below(URL(filePath: path))
        continue
      }
      do {
        found.append(File(path: path, name: name(of: URL(filePath: path)), builds: try SymbolFile.inspect(path)))
      } catch {
        skipped.append(Skipped(path: path, reason: "\(error)"))
      }
    }
    // The same build in several places is sent once.
    var seen = Set<SymbolID>()
    found = found.filter { file in
      defer { seen.formUnion(file.builds.map(\.id)) }
      return !file.builds.allSatisfy { seen.contains($0.id) }
    }
    return (found, skipped)
  }

  private static func below(_ directory: URL) -> [File] {
    let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
    guard let walker = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: keys) else {
      return []
    }
    var found: [File] = []
    for case let (count, url as URL) in walker.enumerated() {
      if count > most { break }
      guard let values = try? url.resourceValues(forKeys: Set(keys)), values.isRegularFile == true,
        (values.fileSize ?? 0) > 64, let builds = try? SymbolFile.inspect(url.path), builds.contains(where: \.hasLines)
      else { continue }
      found.append(File(path: url.path, name: name(of: url), builds: builds))
    }
    return found.sorted { $0.path < $1.path }
  }

  private static func name(of url: URL) -> String {
    url.pathComponents.last { $0.hasSuffix(".dSYM") } ?? url.lastPathComponent
  }
}
