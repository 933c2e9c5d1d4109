import Foundation

/// What is said of all records of a context: the resource, and the session and the user that stand in each record.
struct OutgoingContext: Sendable {
  var resource = OTLP.Resource()
  /// `session.id` and `user.id`.
  var attributes: [OTLP.KeyValue] = []

  /// - Parameters:
  ///   - json: the context as the index has it; nil: there is none.
  ///   - session: the session as the collector knows it.
  ///   - bundleId: the app, where the context does not name it.
  init(_ json: Data?, session: String, bundleId: String?, version: String?) {
    let context = json.flatMap { $0.withUnsafeBytes { try? ContextRecord(json: $0) } }
    let tags = context?.tags ?? [:]
    resource.attributes.append(OTLP.KeyValue("service.name", context?.bundleId ?? bundleId ?? "unknown_service"))
    if let version = context?.appVersion ?? version {
      resource.attributes.append(OTLP.KeyValue("service.version", version))
    }
    let device = context?.device ?? [:]
    for (name, attribute) in Self.device {
      if let text = device[name], !text.isEmpty { resource.attributes.append(OTLP.KeyValue(attribute, text)) }
    }
    // What came by OpenTelemetry goes as it came.
    let cameByIt = tags["telemetry.sdk.name"] != nil
    if !cameByIt {
      resource.attributes.append(OTLP.KeyValue("telemetry.sdk.name", "automobile"))
      resource.attributes.append(OTLP.KeyValue("telemetry.sdk.language", "swift"))
    }
    for (name, text) in tags.sorted(by: { $0.key < $1.key }) {
      resource.attributes.append(OTLP.KeyValue(cameByIt ? name : "automobile.tag.\(name)", text))
    }
    attributes.append(OTLP.KeyValue("session.id", session))
    if let user = context?.userId, !user.isEmpty { attributes.append(OTLP.KeyValue("user.id", user)) }
  }

  private static let device = [
    ("model", "device.model.identifier"), ("manufacturer", "device.manufacturer"), ("systemName", "os.name"),
    ("osVersion", "os.version"),
  ]
}
