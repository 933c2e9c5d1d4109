import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// An event, as the collector's indexer would have it.
struct SampleEvent {
  var project = "com.example.app"
  var session = "session"
  var launch = "launch"
  var position: Int64 = 0
  var id: Int64 = 0
  var timestamp: Int64 = 1_700_000_000_000
  var received: Int64 = 1_700_000_000_000
  var payload: [UInt8] = []

  var key: UInt64 { ShardKey.of(project: project, session: session) }
  var day: Int64 { received / 86_400_000 }

  /// The columns behind `shard`.
  func write(_ row: inout RowBinaryWriter) {
    row.string(project)
    row.string(session)
    row.string(launch)
    row.int(position)
    row.int(id)
    row.int(timestamp)
    row.int(received)
    row.day(day)
    row.string("log")
    row.int(2 as UInt8)
    row.nullable(nil as Int64?)
    row.int(0 as Int64)
    row.nullable(7 as Int64?)
    row.string(" some words ")
    row.string(payload)
  }
}

extension ShardedRows {
  init(_ events: [SampleEvent], _ cluster: ClickHouseCluster) {
    self.init(TelemetryTables.events, cluster)
    for event in events { append(event.key) { event.write(&$0) } }
  }
}

/// Both are worked out once: what reads moves on.
func expectEqual<Value: Equatable>(_ value: Value, _ wanted: Value, _ location: SourceLocation = #_sourceLocation) {
  #expect(value == wanted, sourceLocation: location)
}

/// Texts that something may take for what they are not.
let hostileTexts: [[UInt8]] = [
  [], Array("'".utf8), Array("\\".utf8), Array("\\'".utf8), Array("`\"'\\`".utf8), Array("a\0b".utf8), [0],
  [0xFF, 0xFE, 0xC3, 0x28],
  Array("\t\n\r\u{8}\u{C}".utf8), Array("\\N".utf8), Array("\\x41\\0".utf8), Array("{p0:String}".utf8),
  Array("🧨é\u{202E}中".utf8),
  Array("'; DROP TABLE events_local; --".utf8), Array("' OR 1 = 1 /*".utf8), Array("%00%27&query=SELECT+1#".utf8),
  Array("Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() = DB::Exception\n".utf8),
  Array(0...255),
]
