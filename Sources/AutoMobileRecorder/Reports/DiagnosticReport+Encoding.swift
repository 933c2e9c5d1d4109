// Written by hand, as all of an event is; it says what `Codable` would.
extension DiagnosticReport {
  package func encodeFields(into json: inout EventJSONWriter) {
    json.add("format", format)
    json.add("reportId", reportId)
    json.add("kind", kind.rawValue)
    json.add("architecture", architecture)
    json.add("os", os)
    json.object("process", process) { process, json in
      json.add("name", process.name)
      json.add("pid", process.pid)
    }
    json.object("signal", signal) { signal, json in
      json.add("number", signal.number)
      json.add("name", signal.name)
      json.add("code", signal.code)
      json.add("codeName", signal.codeName)
      json.add("address", signal.address)
    }
    json.object("exception", exception) { exception, json in
      json.add("type", exception.type)
      json.add("reason", exception.reason)
    }
    json.member("durationMs", durationMs)
    json.member("anr", anr)
    json.objects("threads", threads) { $0.encodeFields(into: &$1) }
    if let samples {
      json.objects("samples", samples) { sample, json in
        json.member("atMs", sample.atMs)
        json.add("count", sample.count)
        json.objects("frames", sample.frames) { $0.encodeFields(into: &$1) }
      }
    }
    json.objects("images", images) { $0.encodeFields(into: &$1) }
    if let breadcrumbs { json.objects("breadcrumbs", breadcrumbs) { $0.encodeOrderedFields(into: &$1) } }
    json.member("notes", notes)
  }
}

extension DiagnosticReport.Thread {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.member("id", number: id)
    json.add("name", name)
    json.member("crashed", crashed)
    json.member("main", main)
    json.add("registers", registers?.mapValues(\.description))
    json.objects("frames", frames) { $0.encodeFields(into: &$1) }
    json.member("truncated", truncated)
  }
}

extension DiagnosticReport.Frame {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.add("address", address)
    json.add("image", image)
    json.add("offset", offset)
    json.add("symbol", symbol)
    if let symbolOffset { json.member("symbolOffset", number: symbolOffset) }
    json.add("trust", trust)
  }
}

extension DiagnosticReport.Image {
  fileprivate func encodeFields(into json: inout EventJSONWriter) {
    json.add("name", name)
    json.add("path", path)
    json.add("uuid", uuid)
    json.add("base", base)
    json.member("size", number: size)
    json.add("architecture", architecture)
  }
}

extension EventJSONWriter {
  fileprivate mutating func add(_ key: StaticString, _ value: CodeAddress?) { add(key, value?.description) }

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
