import Foundation

/// How long one operation takes, from many short samples: a median is not moved by what else the machine does.
struct Measurement {
  /// Nanoseconds per operation, sorted.
  let samples: [Double]
  /// How many operations there were, those before the first sample and between samples included.
  let operations: Int
  /// A few samples instead of many: to see that everything is found, not how fast.
  static let isShort = CommandLine.arguments.contains("--short")
  /// So many, or a few of them.
  static func count(_ full: Int) -> Int { isShort ? max(3, full / 25) : full }

  var median: Double { samples[samples.count / 2] }
  var p99: Double { samples[samples.count * 99 / 100] }

  /// Runs `body`, which performs `operations` operations, once for each sample.
  ///
  /// - Parameter rest: seconds between samples, so that what works behind the caller's back keeps up, as it does in an app.
  init(samples count: Int = 400, operations: Int = 500, rest: TimeInterval = 0, _ body: (Int) -> Void) {
    var performed = 0
    func perform(_ count: Int) {
      body(count)
      performed += count
    }
    for _ in 0..<5 { perform(operations) }
    let count = Self.count(count)
    var samples: [Double] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      if rest > 0 {
        Thread.sleep(forTimeInterval: rest)
        // Waking up is not what is measured.
        perform(operations / 4)
      }
      let start = DispatchTime.now().uptimeNanoseconds
      perform(operations)
      let end = DispatchTime.now().uptimeNanoseconds
      samples.append(Double(end - start) / Double(operations))
    }
    self.samples = samples.sorted()
    self.operations = performed
  }

  /// From samples that were measured elsewhere, in nanoseconds.
  init(nanoseconds: [Double]) {
    samples = nanoseconds.sorted()
    operations = nanoseconds.count
  }
}
