/// The report as the API gives it out: the members that came, and what symbolication added.
extension CrashReport {
  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("format", 1 as Int64)
      $0.member("reportId", id)
      $0.member("kind", kind)
      $0.member("architecture", architecture)
      $0.member("os", system)
      $0.object("process") {
        $0.member("name", processName)
        $0.member("pid", processId)
      }
      if let signal {
        $0.object("signal") {
          $0.member("number", signal.number)
          $0.member("name", signal.name)
          $0.member("code", signal.code)
          $0.member("codeName", signal.codeName)
          $0.member("address", signal.address.hex)
        }
      }
      if let exception {
        $0.object("exception") {
          $0.member("type", exception.type)
          $0.member("reason", exception.reason)
        }
      }
      if let durationMs {
        $0.member("durationMs", number: durationMs)
        $0.member("anr", isANR)
      }
      $0.array("threads") { for thread in threads { thread.write(to: &$0) } }
      if !samples.isEmpty { $0.array("samples") { for sample in samples { sample.write(to: &$0) } } }
      $0.array("images") { for image in images { image.write(to: &$0) } }
      $0.array("breadcrumbs") {
        for crumb in breadcrumbs {
          $0.object {
            $0.member("timestamp", crumb.timestamp)
            $0.member("category", crumb.category)
            $0.member("message", crumb.message)
          }
        }
      }
      $0.array("notes") { for note in notes { $0.string(note) } }
    }
  }
}

extension CrashReport.Thread {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("name", name)
      $0.member("crashed", isCrashed)
      $0.member("main", isMain)
      $0.member("truncated", isTruncated)
      $0.object("registers") { for register in registers { $0.member(register.name, Optional(register.value).hex) } }
      $0.array("frames") { for frame in frames { frame.write(to: &$0) } }
    }
  }
}

extension CrashReport.Sample {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      if let atMs { $0.member("atMs", number: atMs) }
      $0.member("count", count)
      $0.array("frames") { for frame in frames { frame.write(to: &$0) } }
    }
  }
}

extension CrashReport.Image {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("name", name)
      $0.member("path", path)
      $0.member("uuid", id?.text)
      $0.member("base", base.hex)
      $0.member("size", size.flatMap(Int64.init(exactly:)))
      $0.member("architecture", architecture)
    }
  }
}

extension CrashReport.Frame {
  fileprivate func write(to json: inout JSONOutput) {
    json.object {
      $0.member("address", address.hex)
      $0.member("image", image.map(Int64.init))
      $0.member("offset", offset.hex)
      $0.member("symbol", symbol)
      $0.member("symbolOffset", symbolOffset.flatMap(Int64.init(exactly:)))
      $0.member("trust", trust)
      $0.member("function", function)
      $0.member("file", file)
      $0.member("line", line.map(Int64.init))
      $0.member("column", column.map(Int64.init))
      $0.member("inlined", isInlined)
      $0.member("inApp", isInApp)
      $0.member("symbolicated", isSymbolicated)
      if let link { $0.member("link", link) }
      if let source {
        $0.object("source") {
          $0.member("path", source.path)
          $0.member("first", Int64(source.first))
          $0.array("lines") { for line in source.lines { $0.string(line) } }
        }
      }
    }
  }
}

extension Optional<UInt64> {
  /// `0x1f`.
  var hex: String? { map { "0x" + String($0, radix: 16) } }
}

extension JSONOutput {
  /// A number with a fraction; one that JSON cannot hold is null.
  mutating func member(_ name: String, number: Double) {
    member(name, json: number.isFinite ? "\(number)" : "null")
  }
}
