import Foundation
import Testing

@testable import AutoMobileCollector

/// What `GET /openapi.json` says. Whether it is true is tried by Collector/Tests/API, which calls every operation.
@Suite struct `The API's description` {
  private let subjects = APIDescription.subjects(CollectorLimits())

  private func document(_ routes: [Route]? = nil, _ limits: CollectorLimits = CollectorLimits()) throws -> JSONValue {
    let text = OpenAPIDocument.text(try routes ?? Collector.routes(), limits)
    return try JSONDecoder().decode(JSONValue.self, from: Data(buffer: text))
  }

  @Test func `every route is described, and nothing else`() throws {
    for problem in APIDescription.problems(try Collector.routes(), subjects) {
      Issue.record(Comment(rawValue: problem))
    }
  }

  @Test func `of a route without a description it is said what to write`() throws {
    let routes = try Collector.routes()
    let more = APIDescription.problems(
      routes + [Route(method: "POST", path: "/api/alerts/{id}/try", access: .operator)], subjects)
    #expect(more.count == 1)
    #expect(more[0].contains(".post(\"/api/alerts/{id}/try\", ") && more[0].contains("API/Description/Subjects"))
    let fewer = APIDescription.problems(routes.filter { $0.path != "/api/apps" }, subjects)
    #expect(fewer.count == 1)
    #expect(fewer[0].hasPrefix("GET /api/apps (listApps) is described, and there is no such route"))
  }

  @Test func `a schema that nobody wrote and a name that two operations have are noticed`() throws {
    let route = Route(method: "GET", path: "/api/alerts", access: .reader)
    let wrong = APIDescription.Subject(
      name: "alerts", about: "", operations: [.get("/api/alerts", "listApps", "", answers: [.json(.named("Alert"))])])
    let problems = APIDescription.problems(try Collector.routes() + [route], subjects + [wrong])
    #expect(problems.count == 2)
    #expect(problems.contains { $0.hasPrefix("“listApps” is the name of two operations") })
    #expect(problems.contains { $0.hasPrefix("“Alert” is no schema") })
  }

  @Test func `who may use a route is what the table of routes says`() throws {
    let paths = try document()["paths"]
    for route in try Collector.routes() {
      let path = route.path == APIDescription.anyFile ? "/{file}" : route.path
      let operation = paths[path][route.method.lowercased()]
      #expect(operation["x-access"].string == route.access.rawValue, "\(route.method) \(route.path)")
      #expect(operation["security"].array.isEmpty == (route.access == .anyone), "\(route.method) \(route.path)")
      // Who uses a link that is none is refused, too, and needs no key for that.
      let isRefusing = route.access != .anyone || route.method == "POST" && route.path == "/api/sign-in"
      #expect((operation["responses"]["401"] != .null) == isRefusing, "\(route.method) \(route.path)")
    }
  }

  @Test func `what stands in a path's braces is a parameter, and nothing else is`() {
    for operation in subjects.flatMap(\.operations) where operation.path != APIDescription.anyFile {
      let braces = operation.path.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) }
      let described = operation.parameters.filter { $0.place == .path }.map(\.name)
      #expect(braces == described, "\(operation.method) \(operation.path)")
    }
  }

  @Test func `limits are those that the collector was started with`() throws {
    var limits = CollectorLimits()
    limits.bodyBytes = 12_345
    let body = try document(nil, limits)["paths"]["/sdk-events"]["post"]["requestBody"]
    #expect(body["description"].string?.contains("12345 bytes") == true)
  }

  @Test func `protocols of others refuse in their own forms, beside ours`() throws {
    let refusal = try document()["paths"]["/v1/logs"]["post"]["responses"]["413"]
    #expect(refusal["description"].string?.contains("`too_large`") == true)
    let forms = refusal["content"]["application/json"]["schema"]["anyOf"].array.map { $0["$ref"].string }
    #expect(forms == ["#/components/schemas/APIError", "#/components/schemas/RPCStatus"])
    #expect(refusal["content"]["application/x-protobuf"] != .null)
  }

  @Test func `it is given out to anyone, the same as the command prints, and once only to who has it`() async throws {
    let printed = try Collector.description()
    try await RunningCollector.with { options in
      options.ingestKeys = ["started-with-1"]
    } _: { collector in
      let answer = try await collector.get("/openapi.json")
      #expect(answer.status == 200)
      #expect(answer.headers["Content-Type"] == ["application/json"])
      #expect(answer.text == printed)
      let tag = try #require(answer.headers["ETag"].first)
      let again = try await collector.get("/openapi.json", headers: [("If-None-Match", tag)])
      #expect(again.status == 304 && again.body.readableBytes == 0)
      let other = try await collector.get("/openapi.json", headers: [("If-None-Match", "\"other\"")])
      #expect(other.status == 200)
    }
  }
}
