import AutoMobileCollector
import Foundation

/// Puts the sources below a directory into one archive.
enum SourceSearch {
  struct Archive {
    var data: Data
    var files: Int
    var skipped: [String]
  }

  private static let kinds: Set = ["swift", "m", "mm", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inc", "metal"]
  /// What is built or fetched is not looked through.
  private static let passedOver: Set = [".build", ".git", "DerivedData", "node_modules"]

  /// - Throws: ``Failure`` when there is no such directory, nothing in it, or too much.
  static func archive(of path: String, commit: String?) throws -> Archive {
    let root = URL(filePath: path).resolvingSymlinksInPath()
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isDirectory), isDirectory.boolValue else {
      throw Failure(
        kind: .unavailable, message: "There is no directory “\(Printable.text(path))”.",
        advice: "Give the root of the checkout that was built.")
    }
    var files: [(path: String, text: Data)] = []
    var skipped: [String] = []
    var bytes = 0
    for file in found(below: root) {
      let name = String(file.path.dropFirst(root.path.count).drop { $0 == "/" })
      guard SourceArchive.isPlain(name), let text = try? Data(contentsOf: file) else { continue }
      guard text.count <= SourceArchive.Limits.file else {
        skipped.append(name)
        continue
      }
      bytes += text.count
      guard files.count < SourceArchive.Limits.files, bytes <= SourceArchive.Limits.bytes else {
        throw Failure(
          message:
            "There are more than \(Format.bytes(SourceArchive.Limits.bytes)) of sources in “\(Printable.text(path))”.",
          advice: "Give a smaller directory.")
      }
      files.append((name, text))
    }
    guard !files.isEmpty else {
      throw Failure(
        message: "There are no sources in “\(Printable.text(path))”.",
        advice: "Give the root of the checkout that was built.")
    }
    return Archive(data: try data(files, commit), files: files.count, skipped: skipped)
  }

  /// A commit alone, for links.
  static func archive(ofNothing commit: String) throws -> Archive {
    Archive(data: try data([], commit), files: 0, skipped: [])
  }

  private static func data(_ files: [(path: String, text: Data)], _ commit: String?) throws -> Data {
    if let commit, !SourceArchive.isCommit(commit) {
      throw Failure(message: "“\(Printable.text(commit))” is not a commit.", advice: "Give a hash, a tag or a branch.")
    }
    do {
      return try SourceArchive.data(files, commit: commit)
    } catch {
      throw Failure(message: "The archive \(error).")
    }
  }

  /// Regular files, links not followed: what lies outside of the directory stays there.
  private static func found(below root: URL) -> [URL] {
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    guard let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys) else { return [] }
    var found: [URL] = []
    for case let url as URL in walker {
      if passedOver.contains(url.lastPathComponent) {
        walker.skipDescendants()
        continue
      }
      guard kinds.contains(url.pathExtension.lowercased()), let values = try? url.resourceValues(forKeys: Set(keys)),
        values.isRegularFile == true, values.isSymbolicLink != true
      else { continue }
      found.append(url)
    }
    return found.sorted { $0.path < $1.path }
  }
}
