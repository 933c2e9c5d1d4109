import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct BreadcrumbTrailTests {
  private func crumb(_ message: String) -> Breadcrumb {
    Breadcrumb(timestamp: 1_700_000_000.25, category: .custom, message: message, metadata: ["k": "v"])
  }

  @Test func `the trail keeps the last ones in order`() {
    let trail = BreadcrumbTrail(maxSize: 3)
    for i in 1...5 { trail.add(crumb("\(i)")) }
    #expect(trail.snapshot().map(\.message) == ["3", "4", "5"])
    trail.clear()
    #expect(trail.snapshot().isEmpty)
    trail.add(crumb("again"))
    #expect(trail.snapshot().map(\.message) == ["again"])
  }

  @Test(arguments: [1, 0, -7]) func `a trail holds at least one`(size: Int) {
    let trail = BreadcrumbTrail(maxSize: size)
    trail.add(crumb("1"))
    trail.add(crumb("2"))
    #expect(trail.snapshot().map(\.message) == ["2"])
  }

  @Test func `timestamps are seconds`() {
    let now = Date().timeIntervalSince1970
    let crumb = Breadcrumb(category: .tap, message: "Buy")
    #expect(abs(crumb.timestamp - now) < 60)
  }

  @Test func `what was written to disk is loaded by the next launch`() throws {
    let directory = try TemporaryDirectory()
    let trail = BreadcrumbTrail(maxSize: 2)
    for i in 1...3 { trail.add(crumb("\(i) \u{0}\u{2028}\"")) }
    trail.writeToDisk(directory: directory.url)
    #expect(directory.names == ["automobile_breadcrumbs.json"])
    #expect(BreadcrumbTrail.loadFromDisk(directory: directory.url) == trail.snapshot())
    BreadcrumbTrail.clearDisk(directory: directory.url)
    #expect(directory.names.isEmpty)
    #expect(BreadcrumbTrail.loadFromDisk(directory: directory.url) == nil)
  }

  @Test func `a damaged file is no trail, and a directory that cannot be made is no crash`() throws {
    let directory = try TemporaryDirectory()
    try Data("[{".utf8).write(to: directory.file("automobile_breadcrumbs.json"))
    #expect(BreadcrumbTrail.loadFromDisk(directory: directory.url) == nil)
    let impossible = directory.file("automobile_breadcrumbs.json").appendingPathComponent("sub")
    BreadcrumbTrail().writeToDisk(directory: impossible)
    #expect(BreadcrumbTrail.loadFromDisk(directory: impossible) == nil)
  }

  @Test func `many threads may add while another looks`() async {
    let trail = BreadcrumbTrail(maxSize: 10)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for i in 0..<500 {
            trail.add(Breadcrumb(category: .log, message: "\(i)"))
            _ = trail.snapshot()
          }
        }
      }
    }
    #expect(trail.snapshot().count == 10)
  }
}
