import AutoMobileHTTP
import Foundation
import Testing

@Suite struct GraphQLTests {
  private func name(_ body: String, url: String = "https://a.example/graphql", type: String? = nil) -> String? {
    HTTPExchange.graphQLOperation(url: url, body: Data(body.utf8), contentType: type)
  }

  @Test(arguments: [
    (#"{"operationName":"Me","query":"query Me { me { id } }"}"#, "Me"),
    (#"{"query":"mutation\nLogin($a: Int) { a }","variables":{"query":"query No { a }"}}"#, "Login"),
    (#"{"query":"query\n Long {"#, "Long"),
    (#"{"operationName":"Persisted","extensions":{"persistedQuery":{}}}"#, "Persisted"),
    (#"[{"operationName":"A","query":"query A {a}"},{"query":"subscription B{b}"}]"#, "A,B"),
    (#"{"query":"{ anonymous }"}"#, nil), (#"{"query":"shoes"}"#, nil), (#"{"operationName":"NoQuery"}"#, nil),
    (#"{"operationName":"a b","query":"{a}"}"#, nil), ("[[[[", nil), ("", nil),
  ])
  func `an operation's name is found, also in a body that was cut`(body: String, expected: String?) {
    #expect(name(body) == expected)
  }

  @Test func `operations are also found in queries and in plain documents`() {
    #expect(name("", url: "https://a.example/g?operationName=Me&query=query%20Me%7Bid%7D") == "Me")
    #expect(name("", url: "https://a.example/g?query=query%20You%20%7Bid%7D") == "You")
    #expect(name("", url: "https://a.example/search?query=shoes") == nil)
    #expect(name("mutation Save { a }", type: "application/graphql") == "Save")
  }
}
