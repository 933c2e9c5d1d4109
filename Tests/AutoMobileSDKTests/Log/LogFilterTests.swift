import Foundation
import Testing

@testable import AutoMobileRecorder

struct LogFilterTests {
  private func filter(tag: String? = nil, message: String? = nil, minLevel: LogLevel = .verbose) throws -> LogFilter {
    LogFilter(
      name: "filter", tagPattern: try tag.map { try NSRegularExpression(pattern: $0) },
      messagePattern: try message.map { try NSRegularExpression(pattern: $0) }, minLevel: minLevel)
  }

  @Test func `a filter without conditions matches everything`() throws {
    #expect(try filter().matches(level: .verbose, tag: nil, message: ""))
    #expect(try filter().matches(level: .fault, tag: "tag", message: "message"))
  }

  @Test func `a filter matches from its level on`() throws {
    for level in LogLevel.allCases {
      for minLevel in LogLevel.allCases {
        #expect(try filter(minLevel: minLevel).matches(level: level, tag: nil, message: "") == (level >= minLevel))
      }
    }
  }

  @Test func `a pattern may be found anywhere`() throws {
    #expect(try filter(tag: "net").matches(level: .info, tag: "my.network", message: ""))
    #expect(try !filter(tag: "^net").matches(level: .info, tag: "my.network", message: ""))
    #expect(try filter(message: "time.?out").matches(level: .info, tag: nil, message: "a timeout, 😀 again"))
    #expect(try !filter(message: "time.?out").matches(level: .info, tag: "timeout", message: "done"))
  }

  @Test func `a tag pattern never matches an entry without a tag`() throws {
    #expect(try !filter(tag: ".*").matches(level: .info, tag: nil, message: "message"))
    #expect(try filter(tag: ".*").matches(level: .info, tag: "", message: "message"))
  }

  @Test func `all conditions must hold`() throws {
    let filter = try filter(tag: "net", message: "fail", minLevel: .error)
    #expect(filter.matches(level: .error, tag: "net", message: "failed"))
    #expect(!filter.matches(level: .info, tag: "net", message: "failed"))
    #expect(!filter.matches(level: .error, tag: "disk", message: "failed"))
    #expect(!filter.matches(level: .error, tag: "net", message: "done"))
  }
}
