import Foundation

/// For those who wait for a number to grow: it ends when it has stood still for a minute, instead of never.
final class Patience {
  private let name: String
  private var last = -1
  private var since = Date()

  init(_ name: String) { self.name = name }

  func note(_ value: Int) throws {
    if value != last { (last, since) = (value, Date()) }
    if Date().timeIntervalSince(since) > 60 { throw Failure("\(name) has stood at \(value) for a minute") }
  }
}
