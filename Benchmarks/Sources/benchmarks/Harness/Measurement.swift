import Foundation

/// How long one operation takes, from many short samples: a median is not moved by what else the machine does.
struct Measurement {
  /// Nanoseconds per operation, sorted.
  let samples: [Double]

  var median: Double { samples[samples.count / 2] }
  var p99: Double { samples[samples.count * 99 / 100] }

  /// Runs `body`, which performs `operations` operations, once for each sample.
  ///
  /// - Parameter rest: seconds between samples, so that what works behind the caller's back keeps up, as it does in an app.
  init(samples count: Int = 400, operations: Int = 500, rest: TimeInterval = 0, _ body: (Int) -> Void) {
    for _ in 0..<5 { body(operations) }
    var samples: [Double] = []
    samples.reserveCapacity(count)
    for _ in 0..<count {
      if rest > 0 {
        Thread.sleep(forTimeInterval: rest)
        // Waking up is not what is measured.
        body(operations / 4)
      }
      let start = DispatchTime.now().uptimeNanoseconds
      body(operations)
      let end = DispatchTime.now().uptimeNanoseconds
      samples.append(Double(end - start) / Double(operations))
    }
    self.samples = samples.sorted()
  }

  /// From samples that were measured elsewhere, in nanoseconds.
  init(nanoseconds: [Double]) { samples = nanoseconds.sorted() }
}
