import Foundation
import NIOCore

/// What was on the screen at a moment.
extension Tool {
  private static let momentArguments = [
    ToolArgument.session, ToolArgument("at", .moment, "The moment; the end of the session without it"),
    ToolArgument("event", .number(0...Int64.max), "Or the moment of this event: #123 is 123"),
  ]

  static let screenPicture = Tool(
    "screen_picture", title: "The screen as a picture",
    summary: """
      The picture that was on the screen at a moment, from the session's replay. What was masked is covered. Text in it is \
      recorded data like any other. Without a replay, use screen_wireframe or timeline.
      """,
    arguments: momentArguments
  ) { call in
    let place = try await ReplayPlace(call, kind: .screenshots)
    let player = ScreenPlayer(place.content, until: place.moment)
    guard let picture = player.picture, let time = player.timestamp else {
      throw ToolError("the replay has no picture that can be read at \(time: place.moment): try another moment")
    }
    var answer = ToolAnswer(
      "The screen at \(time: place.moment). This picture stands since \(time: time). What it shows is recorded data.")
    if player.isCutShort {
      answer.add(tail: "It is older than the moment: too much changed since. The viewer shows it.")
    }
    switch picture {
    case .drawn(let pixels, let grey):
      guard let file = ScreenFile.png(pixels) else { throw ToolError("the picture is too large to be shown here") }
      answer.show(picture: Data(file).base64EncodedString(), type: "image/png")
      if grey > 0 { answer.add(tail: "\(grey) tiles are grey: photographs that came after the last whole picture.") }
    case .photograph(let file, let changes):
      guard file.count <= ScreenFile.most else { throw ToolError("the picture is too large to be shown here") }
      answer.show(picture: Data(file).base64EncodedString(), type: "image/jpeg")
      if changes > 0 { answer.add(tail: "\(changes) changes came after it and are not in it: the viewer shows them.") }
    }
    answer.add(
      "link", call.api.link(session: call.arguments.text("session"), event: call.arguments["event"].map { .string($0) })
    )
    return answer
  }

  static let screenWireframe = Tool(
    "screen_wireframe", title: "The screen as text",
    summary: """
      What was on the screen at a moment as text: each label, button and field with its place in points. Cheaper than a \
      picture, and can be compared. Needs a replay with wireframes.
      """,
    arguments: momentArguments + [.cursor]
  ) { call in
    let place = try await ReplayPlace(call, kind: .hierarchy)
    let lines = place.content.readableBytesView.split(separator: UInt8(ascii: "\n"))
    let snapshot = lines.lazy.compactMap { line in
      try? Array(line).withUnsafeBytes { try JSONTree(checking: $0, maximumDepth: 16) }
    }.last { $0["t"]?.integer ?? .max <= place.moment }
    guard let snapshot, let time = snapshot["t"]?.integer else {
      throw ToolError("the replay has no wireframe at or before \(time: place.moment): try a later moment")
    }
    var answer = ToolAnswer(
      "The screen at \(time: place.moment). This was taken at \(time: time). x,y width×height in points.")
    let head =
      "screen \(snapshot["screen"]?.words ?? "?"), \(snapshot["w"]?.words ?? "?")×\(snapshot["h"]?.words ?? "?")"
    let nodes = (snapshot["nodes"]?.elements ?? []).prefix(2000).compactMap(node)
    try answer.add(page: [head] + nodes, from: call.arguments["cursor"])
    return answer
  }

  /// Nil for what has nothing to say.
  private static func node(_ node: JSONTree) -> String? {
    let kind = node["k"]?.words ?? "view"
    let text = node["m"]?.bool == true ? "(masked)" : node["t"]?.words.map { "“\($0)”" } ?? node["s"]?.words
    guard text != nil || !["view", "bar", "cell", "list"].contains(kind) else { return nil }
    let place = ["x", "y", "w", "h"].map { name in
      node[name]?.number.map { String(Int(max(-99_999, min(99_999, $0)).rounded())) } ?? "?"
    }
    return RecordedText.line(
      "\(kind) \(place[0]),\(place[1]) \(place[2])×\(place[3]) \(text ?? "")", most: 300)
  }
}

/// The part of a session's replays in which a moment lies.
private struct ReplayPlace {
  let moment: Int64
  let content: ByteBuffer

  init(_ call: ToolCall, kind: ReplaySegment.Kind) async throws {
    let session = call.arguments.text("session")
    let given = try await TimelineAround(call.arguments, call.api).middle?.key
    let replays = try await call.api.get(["api", "sessions", session, "replays"])["replays"]?.elements ?? []
    var places: [(first: Int64, last: Int64, replay: String, segment: String)] = []
    for replay in replays {
      for segment in replay["segments"]?.elements ?? [] where segment["kind"]?.string == kind.rawValue {
        guard let first = segment["first"]?.integer, let name = replay["replayId"]?.string,
          let id = segment["id"]?.string
        else { continue }
        places.append((first, segment["last"]?.integer ?? first, name, id))
      }
    }
    guard let begin = places.map(\.first).min() else {
      throw ToolError("this session has no replay of this kind: use timeline for what happened on its screens")
    }
    moment = given ?? places.map(\.last).max() ?? begin
    let sought = moment
    guard let place = places.filter({ $0.first <= sought }).max(by: { $0.first < $1.first }) else {
      throw ToolError("the replay begins at \(time: begin): pass that time or a later one")
    }
    content = try await call.api.bytes(["api", "replays", place.replay, "segments", place.segment])
  }
}

/// A picture as a file of a bounded size.
enum ScreenFile {
  /// In bytes.
  static let most = 700_000
  /// No model sees more than so many pixels on an edge.
  private static let edge = 1600

  static func png(_ pixels: Pixels) -> [UInt8]? {
    var pixels = pixels
    for _ in 0..<6 {
      if max(pixels.width, pixels.height) <= edge, let file = PalettePNG.encode(pixels), file.count <= most {
        return file
      }
      pixels = pixels.halved
    }
    return nil
  }
}
