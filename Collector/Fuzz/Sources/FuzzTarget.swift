import AutoMobileJournal
import Foundation
import NIOCore

@testable import AutoMobileCollector

/// What strangers' bytes go through before they are kept. Each target calls one parser and then checks what it promised;
/// a broken promise ends the process, which is how libFuzzer is told.
enum FuzzTarget: String, CaseIterable {
  case raw, envelope, gzip, json, report, program, replay, session, query, agent, screen, otlp
  case store, signin, forwarded, redaction
  case rows, exception, address, mail, receiver, egress, target, cursor, keys, token, rules, alert, log, batches

  func run(_ bytes: UnsafeRawBufferPointer) {
    let expect: (Bool, String) -> Void = { Self.expect($0, $1) }
    switch self {
    case .raw: Self.raw(ByteBuffer(bytes: bytes))
    case .envelope: Self.envelope(ByteBuffer(bytes: bytes))
    case .gzip: Self.gzip(ByteBuffer(bytes: bytes))
    case .json: Self.json(bytes)
    case .report: Self.report(bytes)
    case .program: Self.program(bytes)
    case .replay: Self.replay(bytes)
    case .session: Self.sessionFile(bytes)
    case .query: Self.query(String(decoding: bytes, as: UTF8.self))
    case .agent: Self.agent(bytes)
    case .screen: Self.screen(bytes)
    case .store: OutsideFuzz.store(bytes, expect: expect)
    case .signin: OutsideFuzz.signIn(bytes, expect: expect)
    case .forwarded: OutsideFuzz.forwarded(bytes, expect: expect)
    case .redaction: OutsideFuzz.redaction(bytes, expect: expect)
    case .rows: ClickHouseFuzz.rows(bytes, expect: expect)
    case .exception: ClickHouseFuzz.exception(bytes, expect: expect)
    case .address: ClickHouseFuzz.address(bytes, expect: expect)
    case .mail: AnswerFuzz.mail(bytes, expect: expect)
    case .receiver: AnswerFuzz.receiver(bytes, expect: expect)
    case .egress: AddressFuzz.egress(bytes, expect: expect)
    case .target: AddressFuzz.target(bytes, expect: expect)
    case .cursor: AddressFuzz.cursor(bytes, expect: expect)
    case .keys: SecretFuzz.store(bytes, expect: expect)
    case .token: SecretFuzz.upload(bytes, expect: expect)
    case .rules: RuleFuzz.uploads(bytes, expect: expect)
    case .alert: RuleFuzz.alert(bytes, expect: expect)
    case .log: LogFuzz.frames(bytes, expect: expect)
    case .batches: LogFuzz.batches(bytes, expect: expect)
    case .otlp: OTLPFuzz.run(bytes, told: { Self.told($0) }, expect: expect)
    }
  }

  private static func report(_ bytes: UnsafeRawBufferPointer) {
    guard let (read, context) = try? ReportFile.read(Data(bytes)) else { return }
    var event = read
    FrameRules.mark(&event.report)
    expect(Fingerprint(event, bundleId: nil).name.utf8.count == 16, "every report has a fingerprint")
    let text = TextExport.text(of: event, context)
    expect(!text.unicodeScalars.contains { $0.value < 9 || $0 == "\u{1B}" }, "nothing moves the terminal's cursor")
    for json in [ReportFile.json(event)] + IPSExport.text(of: event, context).split(separator: "\n").map(String.init) {
      var json = json
      let isWhole: Bool = json.withUTF8 { bytes in
        var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
        return (try? scanner.document { try $0.skip() }) != nil
      }
      expect(isWhole, "an export is JSON")
    }
  }

  private static let file = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")

  private static func program(_ bytes: UnsafeRawBufferPointer) {
    defer { try? FileManager.default.removeItem(at: file) }
    guard (try? Data(bytes).write(to: file)) != nil, let builds = try? SymbolFile.inspect(file.path) else { return }
    expect(builds.count <= 16, "the number of builds is bounded")
    for build in builds { expect(build.range.upperBound <= UInt64(bytes.count), "a build lies in its file") }
  }

  private static let limits: CollectorLimits = {
    var limits = CollectorLimits()
    limits.decompressedBytes = 1 << 16
    limits.eventBytes = 1 << 12
    limits.batchEvents = 64
    return limits
  }()

  private static func raw(_ body: ByteBuffer) {
    guard let batch = try? CheckedBatch(raw: body) else { return }
    let events = records(of: batch).filter { $0.kind == .event || $0.kind == .eventAndBreadcrumb }
    expect(events.count == batch.events, "the number of events")
    expect(batch.body == body, "the body is kept as it came")
  }

  private static func envelope(_ body: ByteBuffer) {
    do {
      let batch = try Envelope.check(body, limits: limits)
      let records = records(of: batch)
      expect(records.count == batch.events, "every event is a whole record")
      expect(batch.events + batch.rejected.count <= limits.batchEvents, "no more events than allowed")
      for record in records {
        record.payload.withUnsafeBytes { payload in
          var scanner = JSONScanner(payload, maximumDepth: limits.jsonDepth)
          let fields = try? EventFields(&scanner)
          expect(fields?.timestamp != nil && fields?.eventType != nil, "an accepted event can be indexed")
        }
      }
    } catch let error as APIError {
      expect(error.status.kind == .clientError, "the sender is told")
      expect(error.offset.map { 0...body.readableBytes ~= $0 } ?? true, "the offset is in the body")
    } catch {
      expect(false, "only answers are thrown, not \(error)")
    }
  }

  private static func gzip(_ body: ByteBuffer) {
    do throws(Inflater.Failure) {
      // What does not begin as gzip does may be zlib's own format, with the dictionary of batches.
      let isGzip = body.getInteger(at: body.readerIndex, as: UInt16.self) == 0x1F8B
      let limit = limits.decompressedBytes
      let result = try isGzip ? Inflater.gunzip(body, limit: limit) : Inflater.inflate(body, limit: limit)
      expect(result.readableBytes <= limits.decompressedBytes, "the limit holds")
    } catch {
      if case .malformed(let offset) = error { expect(0...body.readableBytes ~= offset, "the offset is in the body") }
    }
  }

  private static func json(_ bytes: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(bytes, maximumDepth: 32)
    scanner.collected = []
    let isValid = (try? scanner.document { try $0.skip() }) != nil
    expect(0...bytes.count ~= scanner.offset, "nothing is read outside")
    // Foundation is the witness: what is accepted here, it accepts too.
    if isValid {
      let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      expect(object != nil, "accepted, but no JSON")
    }
    var fields = JSONScanner(bytes, maximumDepth: 32)
    if let event = try? EventFields(&fields) {
      expect(isValid, "an event is a JSON text")
      for text in [event.eventType, event.sessionId, event.destination].compactMap({ $0 }) { _ = fields.decode(text) }
    }
    if let span = try? SpanFields(bytes, maximumDepth: 32) {
      expect(isValid, "a span is a JSON text")
      expect(span.name.count <= SpanFields.longestName && span.duration ?? 0 >= 0, "what is kept of a span is bounded")
      if let (trace, id) = span.identity {
        expect(
          TraceName(trace.text) == trace && SpanName.row(SpanName.text(id)) == id, "names are read as they are written")
      }
    }
    if let place = (try? NetworkFields(bytes, maximumDepth: 32))?.place {
      expect(TraceName(place.trace.text) == place.trace, "a request's trace is one")
    }
    if let pattern = SearchPattern(String(decoding: bytes.prefix(300), as: UTF8.self)) {
      expect(pattern.fullText.map { !$0.isEmpty } ?? true, "a pattern asks for something")
    }
  }

  /// Lines that announce segments, ends and faults of a replay.
  private static func replay(_ bytes: UnsafeRawBufferPointer) {
    var parts: [ReplayPart] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let tree = try? JSONTree(checking: UnsafeRawBufferPointer(rebasing: line), maximumDepth: 16) else {
        continue
      }
      told {
        let segment = try ReplaySegment(tree)
        expect(segment.first <= segment.last && segment.last <= ReplayTimes.most, "times are in order")
        expect(ReplaySegment.isID(segment.id) && segment.continues != segment.id, "a segment goes on from another")
        expect(segment.sessions.count <= 50, "the number of sessions is bounded")
        parts.append(
          ReplayPart(
            segmentId: segment.id, kind: segment.kind.rawValue, first: segment.first, last: segment.last,
            frames: segment.frames, length: segment.size, continues: segment.continues))
      }
      told {
        let end = try ReplayEnd(tree)
        for now in [0, 1_700_000_000_000, ReplayTimes.most] {
          for recorded in [nil, 0...0, 5...now + 5, ReplayTimes.most...ReplayTimes.most] as [ClosedRange<Int64>?] {
            let times = end.clamped(first: recorded?.lowerBound, last: recorded?.upperBound, now: now)
            expect(0 <= times.start && times.start <= times.end, "it ends after its beginning")
            expect(0...(times.end - times.start) ~= times.background, "it has been in the background for a part of it")
            if let recorded { expect(times.end >= recorded.upperBound, "nothing was recorded after its end") }
          }
        }
      }
      told {
        let fault = try ReplayFault(tree)
        expect(fault.detail.count <= 4000 && fault.frames.utf8.count <= 16 << 10, "what is kept of a fault is bounded")
      }
    }
    let whole = ReplayPart.joined(parts)
    expect(whole.reduce(0) { $0 + $1.parts } <= parts.count, "no part is shown twice")
    expect(
      whole.allSatisfy { $0.head.kind != "screenshots" || $0.head.continues == nil }, "pictures begin at their head")
  }

  /// A session file's lines, in pieces as they come.
  private static func sessionFile(_ bytes: UnsafeRawBufferPointer) {
    var (whole, pieces) = (SessionFileLines(), SessionFileLines())
    var (lines, others): ([ByteBuffer], [ByteBuffer]) = ([], [])
    told { try whole.split(bytes, into: &lines) }
    let step = max(Int(bytes.first ?? 1) % 64, 1)
    for start in stride(from: 0, to: bytes.count, by: step) {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + step, bytes.count)])
      told { try pieces.split(piece, into: &others) }
    }
    expect(lines == others, "lines are the same in whatever pieces they come")
    for (index, line) in lines.enumerated() {
      let isRead = told {
        let (kind, value) = try whole.read(line, maximumDepth: 16)
        expect((kind == .automobile) == (index == 0), "the first line says what it is")
        switch kind {
        case .automobile:
          let origin = try SessionImport(value, at: 0)
          expect(!origin.sessionId.isEmpty && origin.collector?.count ?? 0 <= 40, "what it says of itself is bounded")
        case .events: _ = try Envelope.check(ByteBuffer(string: value.text), limits: limits)
        case .segment: _ = try ReplaySegment(value)
        case .end: _ = try ReplayEnd(value)
        case .complete: expect(index == lines.count - 1 || whole.isComplete, "after its end comes nothing")
        }
      }
      guard isRead else { return }
    }
  }

  /// What somebody typed into a search field.
  private static func query(_ text: String) {
    for domain in SearchDomain.allCases {
      do {
        let query = try SearchQuery(text, in: domain)
        expect(query.terms.count <= SearchQuery.mostTerms, "the number of terms is bounded")
        expect(query.words.count + query.others.count == query.terms.count, "each term is looked for once")
        expect(query.marks.allSatisfy { !$0.isEmpty }, "something is marked")
        var conditions: [SearchCondition]
        switch domain {
        case .sessions: conditions = SessionTerms(hasFullText: true, live: 0).conditions(query)
        case .issues: conditions = IssueTerms().conditions(query)
        case .requests, .events: conditions = []
        }
        conditions.append(SessionRelevance.points(query))
        for condition in conditions {
          // Typed text has no other way into a statement than a letter that no statement of ours has.
          expect(condition.sql.utf8.allSatisfy { $0 < 0x80 && $0 >= 0x0A }, "what was typed is bound")
          expect(condition.sql.utf8.count < 1 << 20, "the statement is bounded")
        }
      } catch let error as APIError {
        expect(error.code == "invalid_query", "it is said what is wrong")
        expect(
          error.offset.map { 0...max(text.utf16.count, SearchQuery.longest) ~= $0 } ?? false, "the place is inside")
      } catch {
        expect(false, "only answers are thrown, not \(error)")
      }
    }
  }

  /// What the sender did wrong is said, and nothing else is thrown.
  @discardableResult
  private static func told(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch let error as APIError {
      expect(error.status.kind == .clientError, "the sender is told")
    } catch {
      expect(false, "only answers are thrown, not \(error)")
    }
    return false
  }

  private static func records(of batch: CheckedBatch) -> [(kind: RecordKind, payload: [UInt8])] {
    batch.body.withUnsafeReadableBytes { bytes in
      guard let (header, start) = try? BatchHeader.split(bytes) else { return [] }
      var result: [(RecordKind, [UInt8])] = []
      var offset = start
      let codec = RecordCodec(launch: header.launchId)
      while case .record(let kind, _, let payload, let next) = codec.parse(bytes, at: offset) {
        result.append((kind, Array(bytes[payload])))
        offset = next
      }
      expect(offset == bytes.count, "records to the end")
      return result
    }
  }

  /// A message of an agent: JSON-RPC, what a request says of itself, and the arguments of tools.
  private static func agent(_ bytes: UnsafeRawBufferPointer) {
    guard let tree = try? JSONTree(checking: bytes, maximumDepth: MCPServer.maximumDepth) else { return }
    for tool in Toolbox.tools(withCommands: true) {
      do {
        let arguments = try ToolArguments(tree["params"]?["arguments"] ?? tree, of: tool)
        expect(tool.arguments.allSatisfy { !$0.isRequired || arguments[$0.name] != nil }, "what is required is there")
      } catch let error as ToolError {
        expect(error.words.text.utf8.count < 2000, "an error is short")
      } catch {
        expect(false, "only what can be mended is thrown, not \(error)")
      }
    }
    guard let message = try? RPCMessage(tree) else { return }
    for headers in [nil, MCPHeaders(), MCPHeaders(version: "2026-07-28", method: message.method, name: "x")] {
      _ = try? RequestMetadata.version(of: message, headers, agreed: nil)
    }
    _ = try? MCPPrompt.get(message.params)
    let text = message.params.text
    var answer = ToolAnswer("words of ours")
    answer.add(text)
    for line in RecordedText.lines(text, width: 100) { answer.add(line) }
    let whole = answer.text(boundary: "0123")
    expect(whole.utf8.count <= ToolAnswer.most, "an answer is bounded")
    expect(whole.unicodeScalars.allSatisfy { $0 == "\n" || !RecordedText.isUnsafe($0) }, "everything in it is seen")
    let inside = whole.split(separator: "\n").dropFirst(2).prefix { !$0.hasPrefix("=== END OF RECORDED DATA 0123") }
    expect(inside.allSatisfy { $0.hasPrefix("| ") }, "what was recorded stays in its frame")
  }

  /// A segment of a replay, as it is looked at for an agent.
  private static func screen(_ bytes: UnsafeRawBufferPointer) {
    for moment in [0, 1_700_000_000_000, Int64.max] {
      let player = ScreenPlayer(ByteBuffer(bytes: bytes), until: moment)
      expect(player.timestamp.map { $0 <= moment } ?? true, "nothing of later is shown")
      guard case .drawn(let pixels, _)? = player.picture else { continue }
      expect(pixels.colours.count == pixels.width * pixels.height, "a picture is whole")
      guard pixels.width * pixels.height < 1 << 16 else { continue }
      expect(PalettePNG.encode(pixels.halved) != nil, "a picture can be shown")
    }
  }

  private static func expect(_ isTrue: Bool, _ promise: @autoclosure () -> String) {
    if !isTrue { fatalError("broken: \(promise())") }
  }
}
