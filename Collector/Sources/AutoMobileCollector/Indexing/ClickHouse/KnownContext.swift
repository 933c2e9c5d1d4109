/// What has to be known of a context so that events which name it get their rows.
struct KnownContext: Hashable, Sendable, Codable {
  var number: Int64
  /// nil: it names none.
  var session: String?
  /// What it says that it is of.
  var bundle: String?
  var version: String?
  /// It is of somebody who was erased: what happened up to this time is dropped. The largest number: of an erased session.
  var erasedBefore: Int64?
  /// Of somebody who was erased: what it says, until something of theirs is kept. nil: it has been written, or nobody knows any more.
  var held: HeldContext?
  /// What it says, while its session has not been told: nothing of that came with it.
  var untold: HeldContext?

  init(number: Int64, session: String?, bundle: String?, version: String?, erasedBefore: Int64? = nil) {
    self.number = number
    self.erasedBefore = erasedBefore
    self.session = session.flatMap { $0.isEmpty ? nil : $0 }
    self.bundle = bundle.flatMap { $0.isEmpty ? nil : $0 }
    self.version = version.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Of an erased session.
  static func erased(_ number: Int64) -> KnownContext {
    KnownContext(number: number, session: nil, bundle: nil, version: nil, erasedBefore: .max)
  }
}

/// A context that is written, or told, when something that it is about is: its record, as it came.
struct HeldContext: Hashable, Sendable, Codable {
  var json: String
  var received: Int64
  /// Of the record; -1 for one that an event carries.
  var position: Int64
  /// The number of the record.
  var id: Int64
}

/// What is asked when a record names a context that did not come in the same batch. It may have come before, or to another collector.
enum ContextQuestion: Hashable, Sendable, Codable {
  case numbered(project: String, launch: String, number: Int64)
  /// Of those whose records stand before a position, the last one: for what names none.
  case current(project: String, launch: String, before: Int64)
}

/// An answer, also that there is none.
struct ContextAnswer: Hashable, Sendable, Codable {
  var context: KnownContext?
}

/// Contexts that came in earlier batches, as far as there is room. It may forget at any time: then they are looked up.
struct ContextCache: Sendable {
  private struct Name: Hashable {
    var project: String
    var launch: String
  }

  private struct Launch {
    var contexts: [Int64: KnownContext] = [:]
    /// In the order of their records' positions.
    var records: [(position: Int64, number: Int64)] = []
  }

  private var launches: [Name: Launch] = [:]
  private var count = 0
  private let capacity: Int

  /// Of one that is counted, about.
  private static let bytes = 256

  /// - Parameter capacity: in contexts and records of them.
  init(capacity: Int = 200_000) { self.capacity = capacity }

  /// Nil: it does not know.
  func answer(_ question: ContextQuestion) -> ContextAnswer? {
    switch question {
    case .numbered(let project, let launch, let number):
      return launches[Name(project: project, launch: launch)]?.contexts[number].map { ContextAnswer(context: $0) }
    case .current(let project, let launch, let position):
      guard let known = launches[Name(project: project, launch: launch)],
        let record = known.records.last(where: { $0.position < position }), let context = known.contexts[record.number]
      else { return nil }
      return ContextAnswer(context: context)
    }
  }

  /// What was held back of it has been written: nobody writes it again.
  mutating func wrote(_ number: Int64, project: String, launch: String) {
    launches[Name(project: project, launch: launch)]?.contexts[number]?.held = nil
  }

  /// - Parameter position: of its record; nil for one that an event carried.
  mutating func add(_ context: KnownContext, at position: Int64?, project: String, launch: String) {
    if count >= capacity {
      launches = [:]
      count = 0
    }
    var known = Launch()
    let name = Name(project: project, launch: launch)
    // Taken out, so that it is changed where it is.
    if let there = launches.removeValue(forKey: name) { known = there }
    if known.contexts.updateValue(context, forKey: context.number) == nil { count += 1 }
    // What is held back takes as much room as it has text.
    count += ((context.held ?? context.untold)?.json.utf8.count ?? 0) / Self.bytes
    if let position {
      let index = known.records.firstIndex { $0.position >= position } ?? known.records.endIndex
      if index == known.records.endIndex || known.records[index].position != position {
        known.records.insert((position, context.number), at: index)
        count += 1
      }
    }
    launches[name] = known
  }
}
