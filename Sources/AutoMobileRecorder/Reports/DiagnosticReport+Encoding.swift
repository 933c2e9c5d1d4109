// Written by hand, as all of an event is; it says what `Codable` would.
extension DiagnosticReport {
  package func encodeFields(into json: inout EventJSONWriter) {
    json.member("format", format)
    json.member("reportId", reportId)
    json.member("kind", kind.rawValue)
    json.member("architecture", architecture)
    json.member("os", os)
    json.object("process", process) { process, json in
      json.member("name", process.name)
      json.member("pid", process.pid)
    }
    json.object("signal", signal) { signal, json in
      json.member("number", signal.number)
      json.member("name", signal.name)
      json.member("code", signal.code)
      json.member("codeName", signal.codeName)
      json.member("address", signal.address)
    }
    json.object("exception", exception) { exception, json in
      json.member("type", exception.type)
      json.member("reason", exception.reason)
    }
    json.member("durationMs", durationMs)
    json.member("anr", anr)
    json.objects("threads", threads) { $0.encodeFields(into: &$1) }
    if let samples {
      json.objects("samples", samples) { sample, json in
        json.member("atMs", sample.atMs)
        json.member("count", sample.count)
        json.objects("frames", sample.frames) { $0.encodeFields(into: &$1) }
      }
    }
    json.objects("images", images) { $0.encodeFields(into: &$1) }
    if let breadcrumbs { json.objects("breadcrumbs", breadcrumbs) { $0.encodeFields(into: &$1) } }
    json.member("notes", notes)
  }
}

extension DiagnosticReport.Thread {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.member("id", number: id)
    json.member("name", name)
    json.member("crashed", crashed)
    json.member("main", main)
    json.member("registers", registers?.mapValues(\.description))
    json.objects("frames", frames) { $0.encodeFields(into: &$1) }
    json.member("truncated", truncated)
  }
}

extension DiagnosticReport.Frame {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.member("address", address)
    json.member("image", image)
    json.member("offset", offset)
    json.member("symbol", symbol)
    if let symbolOffset { json.member("symbolOffset", number: symbolOffset) }
    json.member("trust", trust)
  }
}

extension DiagnosticReport.Image {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.member("name", name)
    json.member("path", path)
    json.member("uuid", uuid)
    json.member("base", base)
    json.member("size", number: size)
    json.member("architecture", architecture)
  }
}

extension EventJSONWriter {
  fileprivate mutating func member(_ key: StaticString, _ value: CodeAddress?) { member(key, value?.description) }

  fileprivate mutating func member(_ key: StaticString, number value: UInt64) {
    self.key(key)
    self.value(value)
    comma()
  }

  fileprivate mutating func object<Value>(
    _ key: StaticString, _ value: Value?, _ members: (Value, inout EventJSONWriter) -> Void
  ) {
    guard let value else { return }
    object(key) { members(value, &$0) }
  }
}
