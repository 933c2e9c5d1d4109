import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileSystem

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A23: images from files and from the network, as files that the system may move away.
@Suite struct NotificationImagesTests {
  private let directory: TemporaryDirectory
  private let images: NotificationImages

  init() throws {
    directory = try TemporaryDirectory()
    images = NotificationImages(
      directory: directory.file("images"), timeouts: HTTPTimeouts(silence: 30, whole: 30))
  }

  private var leftovers: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.file("images").path)) ?? []
  }

  private func problem(_ path: String) async -> String? {
    do throws(ImageProblem) {
      images.remove(try await images.file(for: path))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: [(Picture.png, "image.png"), (Picture.jpeg, "image.jpg"), (Picture.gif, "image.gif")])
  func `A23 the app's own file is copied, and named by what is in it`(content: Data, name: String) async throws {
    let own = directory.file("a picture 🖼️ %41.bmp")
    try content.write(to: own)
    for path in [own.path, own.absoluteString] {
      let file = try await images.file(for: path)
      #expect(file.lastPathComponent == name)
      #expect(try Data(contentsOf: file) == content)
      try FileManager.default.removeItem(at: file)
      #expect(try Data(contentsOf: own) == content, "the system may move ours away, not the app's")
      images.remove(file)
    }
    #expect(leftovers == [])
  }

  @Test func `A23 what is no image, no file or no path is refused with a reason`() async throws {
    let text = directory.file("text.png")
    try Data("text".utf8).write(to: text)
    #expect(await problem(text.path) == "the image is neither PNG, JPEG nor GIF")
    #expect(await problem(directory.url.path)?.hasPrefix("there is no file") == true)
    #expect(await problem("/none/of/them.png")?.hasPrefix("there is no file") == true)
    #expect(await problem("file:///none%00.png") != nil)
    #expect(await problem("relative.png")?.hasPrefix("the image is neither an absolute path nor a URL") == true)
    #expect(await problem("ftp://127.0.0.1/a.png")?.contains("neither file, http nor https") == true)
    #expect(await problem("/a\0b.png")?.contains("zero byte") == true)
    #expect(await problem("/" + String(repeating: "a", count: 1 << 20))?.contains("longer than 4096") == true)
    #expect(await problem("http://") != nil)
    #expect(leftovers == [])
  }

  @Test func `A23 a pipe, an endless file and one that is too large are not read`() async throws {
    let pipe = directory.file("pipe.png").path
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(await problem(pipe)?.hasPrefix("there is no file") == true)
    #expect(await problem("/dev/zero")?.hasPrefix("there is no file") == true)
    let large = directory.file("large.png")
    try Picture.png.write(to: large)
    let handle = try FileHandle(forWritingTo: large)
    try handle.truncate(atOffset: UInt64(NotificationImages.maximumSize) + 1)
    try handle.close()
    #expect(await problem(large.path)?.hasPrefix("the image has more than") == true)
    #expect(leftovers == [])
  }

  @Test func `A23 a link leads to its file`() async throws {
    try Picture.gif.write(to: directory.file("own.gif"))
    let link = directory.file("link.png")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.file("own.gif"))
    let file = try await images.file(for: link.path)
    #expect(file.lastPathComponent == "image.gif")
    images.remove(file)
    #expect(try Data(contentsOf: directory.file("own.gif")) == Picture.gif)
  }

  @Test func `A23 an image is downloaded, over redirects too, whatever its name and type are said to be`() async throws
  {
    let server = try HTTPTestServer { request in
      if request.path.hasPrefix("/redirect") { return .answer(302, headers: ["Location": "/..%2F..%2Fpasswd;.exe"]) }
      return .answer(200, headers: ["Content-Type": "text/html"], body: Picture.jpeg)
    }
    defer { server.stop() }
    for path in ["/picture.png?a=b#c", "/redirect"] {
      let file = try await images.file(for: server.url.absoluteString + path)
      #expect(file.lastPathComponent == "image.jpg")
      #expect(file.path.hasPrefix(directory.file("images").path))
      #expect(try Data(contentsOf: file) == Picture.jpeg)
      images.remove(file)
    }
    #expect(leftovers == [])
  }

  @Test func `A23 a server that misbehaves gives no image, and says why`() async throws {
    let server = try HTTPTestServer { request in
      switch request.path {
      case "/404": .answer(404, body: Picture.png)
      case "/text": .answer(200, headers: ["Content-Type": "image/png"], body: Data("<html>".utf8))
      case "/empty": .answer(200)
      case "/long": .answer(200, body: Picture.png + Data(count: NotificationImages.maximumSize))
      case "/round": .answer(302, headers: ["Location": "/round"])
      default: .close
      }
    }
    defer { server.stop() }
    func problem(_ path: String) async -> String? { await self.problem(server.url.absoluteString + path) }
    #expect(await problem("/404") == "the image cannot be downloaded: status 404")
    #expect(await problem("/text") == "the image is neither PNG, JPEG nor GIF")
    #expect(await problem("/empty") == "the image is neither PNG, JPEG nor GIF")
    #expect(await problem("/long")?.contains("longer than 10485760 bytes") == true)
    #expect(await problem("/round")?.hasPrefix("the image cannot be downloaded") == true)
    #expect(await problem("/close")?.hasPrefix("the image cannot be downloaded") == true)
    #expect(leftovers == [])
  }

  @Test func `A23 a server that says nothing is not waited for long`() async throws {
    let server = try HTTPTestServer(.silence)
    defer { server.stop() }
    let hasty = NotificationImages(
      directory: directory.file("images"), timeouts: HTTPTimeouts(silence: 0.3, whole: 0.3))
    do throws(ImageProblem) {
      _ = try await hasty.file(for: server.url.absoluteString)
      Issue.record("there is an image")
    } catch {
      #expect(error.reason.hasPrefix("the image cannot be downloaded"))
    }
    #expect(NotificationImages.timeouts.whole == 15)
  }

  @Test func `A23 what a process that died left behind is removed`() async throws {
    let old = directory.file("images/old")
    try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: old.path)
    try Picture.png.write(to: directory.file("own.png"))
    let file = try await images.file(for: directory.file("own.png").path)
    #expect(leftovers.count == 1)
    images.remove(file)
    #expect(leftovers == [])
  }
}
