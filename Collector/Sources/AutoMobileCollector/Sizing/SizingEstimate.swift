/// What a fleet asks of collectors, disks and phones: multiplication, out of ``MeasuredFigures``.
///
///     var fleet = Fleet(devices: 100_000)
///     fleet.replayMinutes = 2
///     SizingEstimate(fleet).diskBytes
package struct SizingEstimate: Sendable {
  package let fleet: Fleet

  package init(_ fleet: Fleet) { self.fleet = fleet }

  // MARK: What comes

  package var sessionsPerDay: Double { fleet.devices * fleet.sessions }
  package var eventsPerDay: Double { sessionsPerDay * fleet.events }
  package var meanEventsPerSecond: Double { eventsPerDay / 86_400 }
  package var peakEventsPerSecond: Double { meanEventsPerSecond * fleet.peak }

  /// Of one phone, over its network.
  package var sentPerDevice: Double {
    fleet.sessions * (fleet.events * fleet.eventBytes * MeasuredFigures.compressed + replayPerSession)
  }
  package var receivedPerDay: Double { fleet.devices * sentPerDevice }
  private var replayPerSession: Double { fleet.replayMinutes / 60 * MeasuredFigures.replayHour }

  // MARK: What is kept

  package var keptEvents: Double { eventsPerDay * fleet.days }
  package var keptSessions: Double { sessionsPerDay * fleet.days }
  package var indexBytes: Double {
    let text = fleet.fullText ? MeasuredFigures.fullText.bytes(of: fleet.eventBytes) : 0
    return keptEvents * (MeasuredFigures.indexed.bytes(of: fleet.eventBytes) + text)
  }
  package var replayBytes: Double { keptSessions * replayPerSession }
  /// Of a day without an index, as whoever mends it overnight needs it.
  package var logBytes: Double { eventsPerDay * fleet.eventBytes }
  package var diskBytes: Double { indexBytes + replayBytes + logBytes }

  // MARK: What it takes

  /// Of one index, in the busiest second; more than 1: it falls behind, and catches up when it is quieter.
  package var indexLoad: Double {
    peakEventsPerSecond / (fleet.fullText ? MeasuredFigures.indexedPerSecondWithText : MeasuredFigures.indexedPerSecond)
  }
  /// For taking in, in the busiest second, beside the one that indexes.
  package var coresToTakeIn: Double { peakEventsPerSecond / MeasuredFigures.acknowledged }

  // MARK: With ClickHouse

  /// Of all shards together, each row once.
  package var storedBytes: Double { keptEvents * MeasuredFigures.stored.bytes(of: fleet.eventBytes) }
  /// Of all collectors, in the busiest second.
  package var coresToSend: Double { coresToTakeIn + peakEventsPerSecond / MeasuredFigures.sentPerSecond }
  /// Of all shards, in the busiest second: without what questions take.
  package var coresToStore: Double { peakEventsPerSecond / MeasuredFigures.storedPerSecond }

  /// How sure it is that one collector will do.
  package enum Verdict: Sendable, Equatable {
    /// Within what was measured, with room.
    case fits
    /// Nobody has tried it with so much: the figures are drawn out.
    case beyondMeasured
    /// More arrives at the busiest time than one index takes.
    case behindAtPeak
    /// More arrives in a day than one index takes in a day.
    case tooMuch
  }

  package var verdict: Verdict {
    if indexLoad / fleet.peak >= 1 { return .tooMuch }
    if indexLoad >= 0.7 { return .behindAtPeak }
    return keptEvents > MeasuredFigures.largestIndex ? .beyondMeasured : .fits
  }
}
