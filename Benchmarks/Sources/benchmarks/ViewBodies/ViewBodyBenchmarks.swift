import AutoMobileSDK
import Foundation

/// What counting the evaluation of a view's body costs, beside a dictionary behind a lock, which is the least that it could be.
func benchmarkViewBodies(_ report: Report) {
  withScratchDirectory { directory in
    AutoMobileSDK.shared.initialize(
      bundleId: "com.example.bench", configuration: AutoMobileConfiguration(storage: .directory(directory)))
    let tracker = ViewBodyTracker.shared
    tracker.setEnabled(true)
    let ids = (0..<200).map { "ProductList.Row.\($0)" }
    for id in ids { tracker.recordBodyEvaluation(id: id, viewName: "Row") }

    let lock = NSLock()
    var counts: [String: Int] = [:]
    let dictionary = Measurement { operations in
      for number in 0..<operations { lock.withLock { counts[ids[number % ids.count], default: 0] += 1 } }
    }
    report.heading("Counting a view's body, one of 200 views")
    report.time("a dictionary behind a lock", dictionary)
    let tracked = Measurement { operations in
      for number in 0..<operations { tracker.recordBodyEvaluation(id: ids[number % ids.count], viewName: "Row") }
    }
    report.time("recordBodyEvaluation(id:viewName:)", tracked, target: 100, over: dictionary)
    let evaluations = tracker.getSnapshots().reduce(0) { $0 + $1.totalCount }
    report.expect("evaluations in the dictionary", counts.values.reduce(0, +), is: dictionary.operations)
    report.expect("evaluations that were counted", evaluations, is: tracked.operations + ids.count)
    tracker.setEnabled(false)
    report.time(
      "… while it is off",
      Measurement { operations in
        for number in 0..<operations { tracker.recordBodyEvaluation(id: ids[number % ids.count], viewName: "Row") }
      })
  }
}
