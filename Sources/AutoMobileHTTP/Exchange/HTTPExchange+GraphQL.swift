import Foundation

extension HTTPExchange {
  /// The names of the GraphQL operations in a request, with commas between them when it is a batch; nil when it is none.
  ///
  /// - Parameters:
  ///   - url: the request's; its query may hold the operation.
  ///   - body: may be truncated.
  ///   - contentType: the request's.
  public static func graphQLOperation(url: String, body: Data?, contentType: String?) -> String? {
    let bytes = Array(body ?? Data())
    if contentType?.lowercased().contains("application/graphql") == true, bytes.first != UInt8(ascii: "{") {
      return GraphQLDocument.operationName(bytes)
    }
    let first = bytes.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return GraphQLRequest(bytes).name }
    guard body == nil || bytes.isEmpty, let items = URLComponents(string: url)?.queryItems else { return nil }
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    if let name = value("operationName"), GraphQLDocument.isName(name), value("query") ?? value("extensions") != nil {
      return name
    }
    return value("query").flatMap { GraphQLDocument.operationName($0.utf8) }
  }
}

/// A request's body in JSON: `{"query":…,"operationName":…}`, or an array of those.
private struct GraphQLRequest {
  private(set) var name: String?

  init(_ json: [UInt8]) {
    var tokens = JSONTokens(json)
    var names: [String] = []
    var current = Operation()
    var member = ""
    // Where the operations' members stand.
    var depth = 1
    while let token = try? tokens.next() {
      switch token {
      case .arrayStart where tokens.containers.count == 1: depth = 2
      case .name(let range) where tokens.containers.count == depth:
        member = String(decoding: json[range], as: UTF8.self)
        if member == "extensions" { current.isGraphQL = true }
      case .string(let range, _) where tokens.containers.count == depth:
        current.note(member, json[range])
      case .objectEnd where tokens.containers.count == depth - 1:
        if let name = current.name { names.append(name) }
        current = Operation()
      default: break
      }
      if names.count >= 8 { break }
    }
    if let name = current.name { names.append(name) }
    name = names.isEmpty ? nil : names.joined(separator: ",")
  }

  private struct Operation {
    var isGraphQL = false
    var given: String?
    var parsed: String?
    var name: String? { isGraphQL ? given ?? parsed : nil }

    mutating func note(_ member: String, _ text: ArraySlice<UInt8>) {
      switch member {
      case "operationName":
        let name = String(decoding: text, as: UTF8.self)
        if GraphQLDocument.isName(name) { given = name }
      case "query", "mutation":
        guard GraphQLDocument.isOne(text) else { return }
        isGraphQL = true
        parsed = GraphQLDocument.operationName(text)
      default: break
      }
    }
  }
}
