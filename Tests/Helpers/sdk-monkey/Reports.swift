import AutoMobileSDK
import Foundation

extension Act {
  static let reports: [Act] = [
    Act(
      "DiagnosticReport.init(reportId:kind:)", "DiagnosticReport.ExceptionInformation.init(type:reason:)",
      "DiagnosticReport.Frame.init(address:image:offset:symbol:symbolOffset:trust:)",
      "DiagnosticReport.Image.init(name:path:uuid:base:size:architecture:)",
      "DiagnosticReport.ProcessInformation.init(name:pid:)", "DiagnosticReport.Sample.init(atMs:count:frames:)",
      "DiagnosticReport.SignalInformation.init(number:name:code:codeName:address:)",
      "DiagnosticReport.Thread.init(id:name:crashed:main:registers:frames:truncated:)", "CodeAddress.init(_:)",
      weight: 2
    ) { random, stage in
      stage.sdk.record(
        SdkHangEvent(
          durationMs: random.double(), stackTrace: nil, bundleId: random.string(), report: report(&random)))
    }
  ]

  /// A report of a crash that never was.
  static func report(_ random: inout Hostile) -> DiagnosticReport {
    var report = DiagnosticReport(reportId: random.string(), kind: random.one(of: DiagnosticReport.Kind.allCases))
    report.process = DiagnosticReport.ProcessInformation(name: random.string(), pid: random.int64())
    report.signal = DiagnosticReport.SignalInformation(
      number: random.int(), name: random.string(), code: random.int(), codeName: nil, address: address(&random))
    report.exception = DiagnosticReport.ExceptionInformation(type: random.string(), reason: random.string())
    report.durationMs = random.double()
    report.threads = (0..<random.below(3)).map { _ in
      DiagnosticReport.Thread(
        id: random.next(), name: random.string(), crashed: random.bool(), main: random.bool(),
        registers: [random.string(): address(&random)], frames: frames(&random), truncated: random.bool())
    }
    report.samples = [DiagnosticReport.Sample(atMs: random.double(), count: random.int(), frames: frames(&random))]
    report.images = [
      DiagnosticReport.Image(
        name: random.string(), path: nil, uuid: random.string(), base: address(&random), size: random.next(),
        architecture: nil)
    ]
    report.notes = random.array()
    return report
  }

  private static func frames(_ random: inout Hostile) -> [DiagnosticReport.Frame] {
    (0..<random.one(of: [0, 1, 3, 600])).map { _ in
      DiagnosticReport.Frame(
        address: address(&random), image: random.int(), offset: nil, symbol: random.one(of: ["$s4main", "\0", "?"]),
        symbolOffset: random.next(), trust: "cfi")
    }
  }

  private static func address(_ random: inout Hostile) -> CodeAddress {
    CodeAddress(random.one(of: [0, .max, random.next()]))
  }
}
