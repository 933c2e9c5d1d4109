import AutoMobileRecorder
import Foundation

/// Why there is no image.
struct ImageProblem: Error, Equatable {
  let reason: String
}

/// Gets the image of a notification: as a file of the SDK's own, for the system moves it away.
struct NotificationImages: Sendable {
  /// As Apple documents it for attachments.
  static let maximumSize = 10 << 20
  static let timeouts = HTTPTimeouts(silence: 10, whole: 15)
  private static let longestPath = 4096
  /// In seconds. What is older was left by a process that died.
  private static let longestUse: TimeInterval = 3600

  /// Ours alone.
  let directory: URL
  private let timeouts: HTTPTimeouts
  private let transport: any RequestTransport

  /// - Parameter directory: where files are for a moment.
  init(
    directory: URL = FileManager.default.temporaryDirectory.appendingPathComponent(
      "dev.jasonpearson.automobile.sdk.notifications"), timeouts: HTTPTimeouts = timeouts,
    transport: any RequestTransport = LazyTransport {
      URLSessionTransport(longestAnswer: maximumSize, followsRedirects: true)
    }
  ) {
    self.directory = directory
    self.timeouts = timeouts
    self.transport = transport
  }

  /// - Parameter path: an absolute path, or a URL of a file or of something to be downloaded.
  /// - Returns: a file with a name that says what is in it. Whoever has it calls ``remove(_:)``.
  func file(for path: String) async throws(ImageProblem) -> URL {
    guard path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else {
      throw ImageProblem(reason: "the image's path is longer than \(Self.longestPath) bytes, or has a zero byte")
    }
    if path.hasPrefix("/") { return try copy(of: URL(fileURLWithPath: path)) }
    guard let url = URL(string: path), let scheme = url.scheme?.lowercased() else {
      throw ImageProblem(reason: "the image is neither an absolute path nor a URL: \(path.limited(to: 200))")
    }
    switch scheme {
    case "file": return try copy(of: url)
    case "http", "https": return try keep(try await download(url))
    default: throw ImageProblem(reason: "the image's URL begins with neither file, http nor https")
    }
  }

  func remove(_ file: URL) { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }

  // MARK: Files of the app

  private func copy(of file: URL) throws(ImageProblem) -> URL {
    let file = file.resolvingSymlinksInPath()
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    // Opening a pipe would wait for somebody who writes into it.
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? Int else {
      throw ImageProblem(reason: "there is no file \(file.path.limited(to: 200))")
    }
    guard size <= Self.maximumSize else { throw Self.tooLarge }
    guard let content = try? Data(contentsOf: file) else {
      throw ImageProblem(reason: "the file \(file.path.limited(to: 200)) cannot be read")
    }
    return try keep(content)
  }

  private static let tooLarge = ImageProblem(reason: "the image has more than \(maximumSize) bytes")

  private func keep(_ content: Data) throws(ImageProblem) -> URL {
    guard content.count <= Self.maximumSize else { throw Self.tooLarge }
    guard let type = ImageType(content) else {
      throw ImageProblem(reason: "the image is neither PNG, JPEG nor GIF")
    }
    removeLeftovers()
    let own = directory.appendingPathComponent(UUID().uuidString, isDirectory: true)
    let file = own.appendingPathComponent("image." + type.rawValue, isDirectory: false)
    do {
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      try content.write(to: file)
    } catch {
      remove(file)
      throw ImageProblem(reason: "the image cannot be written: \(error.localizedDescription)")
    }
    return file
  }

  private func removeLeftovers() {
    let files = FileManager.default
    let keys: [URLResourceKey] = [.contentModificationDateKey]
    let found = try? files.contentsOfDirectory(at: directory, includingPropertiesForKeys: keys)
    let now = Double(Clocks.millisecondsSince1970()) / 1000
    for url in found ?? [] {
      guard let date = try? url.resourceValues(forKeys: Set(keys)).contentModificationDate else { continue }
      if now - date.timeIntervalSince1970 > Self.longestUse { try? files.removeItem(at: url) }
    }
  }

  // MARK: Downloads

  private func download(_ url: URL) async throws(ImageProblem) -> Data {
    var request = HTTPRequest(method: "GET", url: url, headers: ["Accept": "image/png, image/jpeg, image/gif"])
    request.timeouts = timeouts
    let sent = request
    let answer = await withCheckedContinuation { continuation in
      transport.send(sent) { continuation.resume(returning: $0) }
    }
    guard (200..<300).contains(answer.status) else {
      throw ImageProblem(reason: "the image cannot be downloaded: \(answer.failure ?? "status \(answer.status)")")
    }
    return answer.body
  }
}

/// What an image is, by its first bytes; the file's name, and what a server says, may be wrong.
enum ImageType: String {
  case png, jpg, gif

  init?(_ content: Data) {
    func begins(_ bytes: [UInt8]) -> Bool { content.starts(with: bytes) }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if begins([0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
      self = .gif
    } else {
      return nil
    }
  }
}
