/// A request, and where in its trace it is.
struct TracedRequest: Weighed, Sendable {
  /// Of a trace, so many are given out.
  static let most = 500

  var request: NetworkRow
  var span: Int64?
  var parent: Int64?

  var weight: Int { request.weight }

  func write(to json: inout JSONOutput) {
    json.object {
      if let span { $0.member("spanId", SpanName.text(span)) }
      if let parent { $0.member("parentSpanId", SpanName.text(parent)) }
      $0.name("request")
      request.write(to: &$0)
    }
  }
}
