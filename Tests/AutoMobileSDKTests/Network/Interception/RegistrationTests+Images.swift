#if os(macOS) || os(Linux)
@testable import AutoMobileRequests
@testable import AutoMobileSystem
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RegistrationTests {
  @Test func `A23 the download of an image is not recorded as the app's request`() async throws {
    let server = try HTTPTestServer { request in
      request.path == "/redirect"
        ? .answer(302, headers: ["Location": "/image"]) : .answer(200, body: Picture.png)
    }
    defer { server.stop() }
    let directory = try TemporaryDirectory()
    let images = NotificationImages(directory: directory.file("images"))
    let log = ExchangeLog()
    NetworkInterception.shared.activate()
    defer { NetworkInterception.shared.deactivate() }
    await log.observing {
      let file = try? await images.file(for: server.url.absoluteString + "/redirect")
      #expect(file != nil && server.requests.count == 2)
      // Whoever was second would have told by the end of a second request.
      _ = try? await URLSession.shared.data(for: URLRequest(url: server.url.appendingPathComponent("own")))
      #expect(await log.first(1).map { URL(string: $0.url)?.path } == ["/own"])
    }
  }
}
#endif
