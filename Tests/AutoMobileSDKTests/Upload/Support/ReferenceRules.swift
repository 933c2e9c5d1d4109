import Foundation

@testable import AutoMobileRecorder

/// Says of an event whether a trigger applies: simply, from JSON that Foundation has read.
enum ReferenceRules {
  static func applies(_ trigger: UploadTrigger, to event: [String: Any]) -> Bool {
    let type = event["eventType"] as? String ?? ""
    switch trigger {
    case .crash: return type == "crash"
    case .hang(let least): return type == "hang" && number(event["durationMs"]).map { $0 >= least } ?? false
    case .unexpectedEnd:
      guard type == "lifecycle", event["state"] as? String == "previous_launch_ended",
        let details = event["details"] as? [String: Any], UUID(uuidString: details["launchId"] as? String ?? "") != nil
      else { return false }
      return ["crash", "hang_kill", "out_of_memory", "unknown"].contains(details["verdict"] as? String ?? "")
    case .handledFailure: return type == "handled_exception"
    case .request(let request): return type == "network_request" && applies(request, to: event)
    case .rageTap: return type == "interaction" && event["interactionType"] as? String == "rage_tap"
    case .deadTap: return type == "interaction" && event["interactionType"] as? String == "dead_tap"
    case .slowLaunch(let least): return isCustom(event, "App Launch", "totalMs", least)
    case .frozenFrames(let least): return isCustom(event, "Frames", "frozen", Double(least))
    case .log(let level, let tag):
      guard type == "log", let much = number(event["level"]), much >= Double(level.rawValue) else { return false }
      return tag == nil || event["tag"] as? String == tag
    case .event(let wanted):
      if let type = wanted.type, type.rawValue != event["eventType"] as? String { return false }
      if let name = wanted.name, event["name"] as? String != name { return false }
      return wanted.conditions.prefix(4).allSatisfy { holds($0, in: event) }
    case .capture: return type == "custom" && event["name"] as? String == "Capture"
    case .sessions: return false
    }
  }

  private static func isCustom(_ event: [String: Any], _ name: String, _ property: String, _ least: Double) -> Bool {
    guard event["eventType"] as? String == "custom", event["name"] as? String == name,
      let value = number((event["properties"] as? [String: Any])?[property])
    else { return false }
    return value >= least
  }

  private static func applies(_ request: UploadRequest, to event: [String: Any]) -> Bool {
    if let method = request.method, (event["method"] as? String)?.lowercased() != method.lowercased() { return false }
    if let host = request.host?.lowercased() {
      guard let name = (event["host"] as? String)?.lowercased() else { return false }
      if host.hasPrefix("*.") {
        guard name.hasSuffix(host.dropFirst()), name.count > host.count - 1 else { return false }
      } else if name != host {
        return false
      }
    }
    if let prefix = request.pathPrefix {
      guard let path = event["path"] as? String, path.utf8.starts(with: prefix.utf8) else { return false }
    }
    if let least = request.atLeastMs {
      guard let duration = number(event["durationMs"]), duration >= least else { return false }
    }
    let status = (event["statusCode"] as? NSNumber).map { Int($0.int64Value) }
    if let range = request.status {
      guard let status, range.contains(status) else { return false }
    }
    if let failed = request.failed, failed != (status.map { $0 >= 400 } ?? true) { return false }
    return true
  }

  private static func holds(_ condition: UploadCondition, in event: [String: Any]) -> Bool {
    guard let value = value(condition.field, in: event) else { return false }
    switch condition.test {
    case .equals(.string(let text)): return (value as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
    case .equals(.int(let wanted)): return number(value) == Double(wanted)
    case .equals(.double(let wanted)): return number(value) == wanted
    case .equals(.bool(let wanted)): return isBool(value) && (value as? Bool) == wanted
    case .equals: return false
    case .contains(let text): return (value as? String).map { Data($0.utf8).range(of: Data(text.utf8)) != nil } ?? false
    case .atLeast(let least): return numberOrText(value).map { $0 >= least } ?? false
    case .atMost(let most): return numberOrText(value).map { $0 <= most } ?? false
    }
  }

  private static func value(_ path: String, in object: [String: Any]) -> Any? {
    if let value = object[path] { return value }
    for (name, value) in object {
      guard path.hasPrefix(name + "."), let inner = value as? [String: Any] else { continue }
      if let found = self.value(String(path.dropFirst(name.count + 1)), in: inner) { return found }
    }
    return nil
  }

  private static func isBool(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return value is Bool }
    return String(cString: number.objCType) == "c"
  }

  private static func number(_ value: Any?) -> Double? {
    guard let value, !(value is String), !(value is NSNull), let number = value as? NSNumber, !isBool(number) else {
      return nil
    }
    return number.doubleValue
  }

  private static func numberOrText(_ value: Any) -> Double? {
    if let text = value as? String {
      let isPlain = text.utf8.count <= 64 && text.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
      return isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }
    return number(value)
  }
}
