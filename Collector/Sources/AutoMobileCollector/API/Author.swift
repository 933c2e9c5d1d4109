import Foundation
import HTTPTypes
import Hummingbird

/// Who changes something, as it is noted down and shown: a name or a key, never what a browser calls itself.
enum Author {
  /// The name that somebody gave in the viewer, or has on the machine where the tool runs; percent-encoded. It is a claim:
  /// who may change something is decided by keys.
  static let header = HTTPField.Name("X-AutoMobile-Author")
  private static let longest = 80

  /// - Parameters:
  ///   - claim: the header's value.
  ///   - key: the name of the key that was presented.
  static func text(claim: String?, key: String?, address: String?) -> String {
    switch (name(claim), key) {
    case (let name?, let key?): return name == key ? name : "\(name) (\(key))"
    case (let name?, nil): return name
    case (nil, let key?): return key
    case (nil, nil):
      guard let address else { return "Somebody" }
      return ["127.0.0.1", "::1"].contains(address) ? "Somebody on this machine" : "Somebody at \(address)"
    }
  }

  /// A name is one line, and not long.
  private static func name(_ claim: String?) -> String? {
    guard let claim, let decoded = claim.removingPercentEncoding else { return nil }
    let visible = decoded.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
      default: true
      }
    }
    let name = String(String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces).prefix(longest))
    return name.isEmpty ? nil : name
  }

  /// What was noted down before there were names: an address, a key's name and what the program called itself.
  static func named(before text: String) -> String {
    var words = text.split(separator: " ")
    guard let address = words.first, address.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }), address.count > 2
    else {
      return text
    }
    // The tool told who ran it.
    if let tool = text.firstRange(of: " automobile/"), let open = text[tool.upperBound...].firstIndex(of: "("),
      let close = text[open...].firstIndex(of: ")")
    {
      return String(text[text.index(after: open)..<close])
    }
    if let agent = words.firstIndex(where: { $0.contains("/") }) { words.removeSubrange(agent...) }
    let key = words.dropFirst().joined(separator: " ")
    return self.text(claim: nil, key: key.isEmpty ? nil : key, address: String(address))
  }
}

extension CollectorContext {
  /// Who changes something, as it is noted down.
  func author(_ request: Request) -> String {
    // Who has signed in needs to claim nothing.
    if let session { return session.person.name }
    return Author.text(
      claim: Author.header.flatMap { request.headers[$0] }, key: key?.name, address: remoteAddress)
  }
}
