import NIOCore

/// A report in the form of Apple's `.ips` files: a line of JSON that says what it is, then the report as JSON.
///
/// As far as there are such fields: what only iOS knows (coalitions, shared cache, code signing) is left out. Xcode's and
/// others' readers take such files.
package enum IPSExport {
  package static func text(of event: EventReport, _ context: ReportContext) -> String {
    String(buffer: header(event, context)) + "\n" + String(buffer: body(event, context)) + "\n"
  }

  private static func header(_ event: EventReport, _ context: ReportContext) -> ByteBuffer {
    let report = event.report
    var json = JSONOutput()
    json.object {
      $0.member("app_name", report.processName ?? event.bundleId ?? "?")
      $0.member("timestamp", context.date(event.timestamp))
      $0.member("app_version", event.appVersion ?? "")
      $0.member("slice_uuid", report.images.first { FrameRules.isAppImage($0) }?.id?.formatted.lowercased() ?? "")
      $0.member("build_version", "")
      $0.member("bundleID", event.bundleId ?? "")
      $0.member("share_with_app_devs", 0 as Int64)
      $0.member("is_first_party", 0 as Int64)
      $0.member("bug_type", event.kind == .hang ? "298" : "309")
      $0.member("os_version", osVersion(event))
      $0.member("name", report.processName ?? event.bundleId ?? "?")
      $0.member("incident_id", context.incident ?? "")
    }
    return json.buffer
  }

  private static func body(_ event: EventReport, _ context: ReportContext) -> ByteBuffer {
    let report = event.report
    var json = JSONOutput()
    json.object {
      $0.member("version", 2 as Int64)
      $0.member("bug_type", event.kind == .hang ? "298" : "309")
      $0.member("incident", context.incident)
      $0.member("captureTime", context.date(event.timestamp))
      $0.member("procName", report.processName)
      $0.member("pid", report.processId)
      $0.member("cpuType", cpuType(report.architecture))
      $0.member("modelCode", event.deviceModel)
      $0.object("osVersion") {
        $0.member("train", osVersion(event))
        $0.member("build", "")
        $0.member("releaseType", "")
      }
      $0.object("bundleInfo") {
        $0.member("CFBundleIdentifier", event.bundleId)
        $0.member("CFBundleShortVersionString", event.appVersion)
      }
      exception(event, &$0)
      $0.member("faultingThread", report.principal.map(Int64.init))
      $0.array("threads") {
        for (index, thread) in report.threads.enumerated() {
          write(thread, isFaulting: index == report.principal, report, &$0)
        }
        for sample in report.samples {
          var thread = CrashReport.Thread(frames: sample.frames)
          thread.name = "main thread, seen \(sample.count)×"
          write(thread, isFaulting: false, report, &$0)
        }
      }
      $0.array("usedImages") { for image in report.images { write(image, report, &$0) } }
      if !report.notes.isEmpty { $0.array("reportNotes") { for note in report.notes { $0.string(note) } } }
    }
    return json.buffer
  }

  private static func exception(_ event: EventReport, _ json: inout JSONOutput) {
    let report = event.report
    json.object("exception") {
      $0.member("type", exceptionType(event))
      if let signal = report.signal {
        $0.member("signal", signal.name)
        if let codes = subtype(signal) { $0.member("subtype", codes) }
        $0.array("rawCodes") {
          $0.number(signal.code ?? 0)
          $0.number(signal.address ?? 0)
        }
      }
    }
    if let signal = report.signal {
      json.object("termination") {
        $0.member("namespace", "SIGNAL")
        $0.member("code", signal.number)
        $0.member("indicator", signal.name)
      }
    }
    if let reason = report.exception?.reason ?? event.errorMessage {
      json.object("asi") { $0.array(report.processName ?? "app") { $0.string(reason) } }
    }
    if let exception = report.exception {
      json.object("exceptionReason") {
        $0.member("type", exception.type)
        $0.member("name", exception.type)
        $0.member("composed_message", exception.reason)
      }
    }
  }

  /// The Mach exception that the kernel would have made this signal of.
  private static func exceptionType(_ event: EventReport) -> String {
    switch event.report.signal?.name {
    case "SIGSEGV", "SIGBUS": "EXC_BAD_ACCESS"
    case "SIGILL": "EXC_BAD_INSTRUCTION"
    case "SIGFPE": "EXC_ARITHMETIC"
    case "SIGTRAP": "EXC_BREAKPOINT"
    default: event.kind == .hang ? "EXC_RESOURCE" : "EXC_CRASH"
    }
  }

  private static func subtype(_ signal: CrashReport.Signal) -> String? {
    guard let address = signal.address.hex, signal.name == "SIGSEGV" || signal.name == "SIGBUS" else {
      return signal.codeName
    }
    return "\(signal.codeName ?? "KERN_INVALID_ADDRESS") at \(address)"
  }

  private static func write(
    _ thread: CrashReport.Thread, isFaulting: Bool, _ report: CrashReport, _ json: inout JSONOutput
  ) {
    json.object {
      if isFaulting { $0.member("triggered", true) }
      $0.member("id", thread.id ?? 0)
      if let name = thread.name { $0.member("name", name) }
      if thread.isMain { $0.member("queue", "com.apple.main-thread") }
      if !thread.registers.isEmpty {
        $0.object("threadState") {
          $0.member("flavor", report.architecture == "x86_64" ? "x86_THREAD_STATE" : "ARM_THREAD_STATE64")
          for register in numbered(thread.registers) {
            switch register {
            case .list(let name, let values):
              $0.array(name) { for value in values { $0.object { $0.member("value", unsigned: value) } } }
            case .one(let register):
              $0.object(register.name) { $0.member("value", unsigned: register.value) }
            }
          }
        }
      }
      $0.array("frames") { for frame in thread.frames { write(frame, &$0) } }
    }
  }

  private enum State {
    case one(CrashReport.Register)
    case list(String, [UInt64])
  }

  /// `x0` to `x28` are one list, as Apple has them.
  private static func numbered(_ registers: [CrashReport.Register]) -> [State] {
    var general: [UInt64] = []
    var rest: [State] = []
    for register in registers {
      if register.name == "x\(general.count)" { general.append(register.value) } else { rest.append(.one(register)) }
    }
    return (general.isEmpty ? [] : [.list("x", general)]) + rest
  }

  private static func write(_ frame: CrashReport.Frame, _ json: inout JSONOutput) {
    json.object {
      if let image = frame.image { $0.member("imageIndex", Int64(image)) }
      $0.member("imageOffset", unsigned: frame.offset ?? frame.address ?? 0)
      if let symbol = frame.function ?? frame.symbol {
        $0.member("symbol", symbol)
        $0.member("symbolLocation", unsigned: frame.symbolOffset ?? 0)
      }
      if frame.isInlined { $0.member("inline", true) }
      if let file = frame.file {
        $0.member("sourceFile", file.split(separator: "/").last.map(String.init) ?? file)
        if let line = frame.line { $0.member("sourceLine", Int64(line)) }
      }
    }
  }

  private static func write(_ image: CrashReport.Image, _ report: CrashReport, _ json: inout JSONOutput) {
    json.object {
      $0.member("source", "P")
      $0.member("arch", image.architecture ?? report.architecture)
      $0.member("base", unsigned: image.base ?? 0)
      $0.member("size", unsigned: image.size ?? 0)
      $0.member("uuid", image.id?.formatted.lowercased())
      $0.member("path", image.path)
      $0.member("name", image.name)
    }
  }

  private static func osVersion(_ event: EventReport) -> String {
    [event.systemName ?? event.report.system, event.osVersion].compactMap { $0 }.joined(separator: " ")
  }

  private static func cpuType(_ architecture: String?) -> String? {
    switch architecture {
    case "arm64", "arm64e": "ARM-64"
    case "x86_64": "X86-64"
    default: architecture
    }
  }
}
