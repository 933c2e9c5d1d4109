import Foundation

/// What an S3 store writes in XML: read by the names of elements, as far as it is needed. It comes from somebody whom the operator
/// chose, and a wrong one does no more harm than a wrong name.
struct S3Document {
  private let text: Substring

  init(_ bytes: some Sequence<UInt8>) { text = Substring(String(decoding: Array(bytes), as: UTF8.self)) }
  private init(_ text: Substring) { self.text = text }

  /// The text of the first element of a name; nil when there is none.
  func first(_ name: String) -> String? { element(name, from: text.startIndex).map { Self.plain($0.content) } }

  /// All elements of a name.
  func all(_ name: String) -> [S3Document] {
    var found: [S3Document] = []
    var start = text.startIndex
    while let (content, end) = element(name, from: start) {
      found.append(S3Document(content))
      start = end
    }
    return found
  }

  private func element(_ name: String, from start: Substring.Index) -> (content: Substring, end: Substring.Index)? {
    guard let open = text[start...].range(of: "<\(name)>"),
      let close = text[open.upperBound...].range(of: "</\(name)>")
    else { return nil }
    return (text[open.upperBound..<close.lowerBound], close.upperBound)
  }

  private static func plain(_ text: Substring) -> String {
    var result = String(text)
    for (entity, character) in [("&quot;", "\""), ("&#34;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      result = result.replacing(entity, with: character)
    }
    return result
  }
}
