import Foundation

extension Collector {
  /// Every route, with who may use it, in the order in which they are added.
  ///
  /// - Throws: when there is no room for a temporary directory.
  public static func routes() throws -> [Route] {
    let directory = FileManager.default.temporaryDirectory.appending(path: "automobile-routes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let collector = try Collector(CollectorOptions(dataDirectory: directory))
    defer { collector.close() }
    return collector.routes().entries
  }

  /// What `GET /openapi.json` answers: every route as OpenAPI 3.1 has it.
  ///
  /// - Throws: when there is no room for a temporary directory.
  public static func description() throws -> String {
    String(buffer: OpenAPIDocument.text(try routes(), CollectorLimits()))
  }
}
