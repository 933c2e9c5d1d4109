import AutoMobileClickHouse

/// What a report is called, however often it came and whoever has looked at it.
struct ReportName: Codable, Hashable, Sendable {
  var project: String
  var launch: String
  var position: Int64
}

/// A row of `reports`: a report as it came, or as somebody who looked at it left it.
struct ReportVersion: Sendable {
  var shard: UInt64
  var name: ReportName
  var session: String
  var id: Int64
  var timestamp: Int64
  var received: Int64
  var fingerprint: String
  var kind: String
  var version: String?
  var duration: Double?
  var screen: String?
  var cause: String
  var culprit: String?
  var message: String?
  var file: String?
  var line: Int64?
  var template: String?
  var bundle: String
  var images: [String]
  var functions: String
  var revision: Int64
  var looked: Int64

  static let columns: [StaticString] = [
    "shard", "project", "launch", "position", "session", "id", "timestamp", "received", "fingerprint", "kind",
    "version",
    "duration", "screen", "cause", "culprit", "message", "file", "line", "template", "bundle", "images", "functions",
    "revision", "looked",
  ]

  func write(to rows: inout ShardedRows) {
    rows.append(shard) { row in
      RecordColumns(
        shard: shard, project: name.project, session: session, launch: name.launch, position: name.position, id: id,
        timestamp: timestamp, received: received
      ).write(&row)
      row.string(fingerprint)
      row.string(kind)
      row.nullable(version)
      row.nullable(duration) { $0.double($1) }
      row.nullable(screen)
      row.string(cause)
      row.nullable(culprit)
      row.nullable(message)
      row.nullable(file)
      row.nullable(line)
      row.nullable(template)
      row.string(bundle)
      row.array(images) { $0.string($1) }
      row.string(functions)
      row.int(revision)
      row.int(looked)
    }
  }

  var bundleId: String? { bundle.isEmpty ? nil : bundle }

  /// Where it lies: on which day and shard, of which session, with which number.
  var place: ReportsToLookAt.Found {
    get { .init(name: name, shard: shard, session: session, received: received, id: id) }
    set { (shard, session, received, id) = (newValue.shard, newValue.session, newValue.received, newValue.id) }
  }

  /// How an issue is called that has nothing but this report.
  var called: IssueNotice.IssueName {
    .init(
      name: fingerprint, cause: cause, culprit: culprit, message: message, file: file, line: line, template: template)
  }

  /// Says what is known now.
  mutating func say(_ refined: RefinedReport, _ made: Fingerprint) {
    let report = refined.report
    cause = report.cause
    culprit = ReportFields.name(of: made.culprit)
    message = IssueText.message(of: report)
    file = made.culprit?.file
    line = made.culprit?.line.map { Int64($0) }
    template = MessageTemplate.make(report.said)
    functions = String(ReportFields.functions(report).joined(separator: "\n").prefix(ReportFields.longestText))
    images.removeAll { refined.done.contains($0) }
  }
}

extension ReportVersion {
  /// Of ``columns``.
  init(_ row: inout RowBinaryReader) throws {
    shard = try row.int()
    name = ReportName(project: try row.string(), launch: try row.string(), position: try row.int())
    session = try row.string()
    id = try row.int()
    timestamp = try row.int()
    received = try row.int()
    fingerprint = try row.string()
    kind = try row.string()
    version = try row.nullable { try $0.string() }
    duration = try row.nullable { try $0.double() }
    screen = try row.nullable { try $0.string() }
    cause = try row.string()
    culprit = try row.nullable { try $0.string() }
    message = try row.nullable { try $0.string() }
    file = try row.nullable { try $0.string() }
    line = try row.nullable { try $0.int() }
    template = try row.nullable { try $0.string() }
    bundle = try row.string()
    images = try row.array { try $0.string() }
    functions = try row.string()
    revision = try row.int()
    looked = try row.int()
  }
}
