import Foundation

/// The directory that a demo works in. It is emptied at the start, so it must be the demo's own.
struct DemoDirectory {
  private static let mark = ".automobile-demo"

  let url: URL
  /// The collector's data.
  var collector: URL { url.appending(path: "collector") }
  /// What the app keeps until it is delivered.
  var app: URL { url.appending(path: "app") }

  func witness(launch: Int) -> WitnessFile { WitnessFile(url: url.appending(path: "witness-\(launch)")) }
  func frames(launch: Int) -> WitnessFile { WitnessFile(url: url.appending(path: "witness-\(launch)-frames")) }

  /// Makes the directory, or empties it when an earlier demo made it.
  ///
  /// - Throws: ``Failure`` when it holds anything else.
  func prepare() throws {
    let files = FileManager.default
    let contents = (try? files.contentsOfDirectory(atPath: url.path)) ?? []
    guard contents.isEmpty || contents.contains(Self.mark) else {
      throw Failure(
        kind: .unavailable, message: "\(url.path) holds something that no demo made.",
        advice: "The demo starts with an empty directory: name another with --data.")
    }
    for name in contents where ["collector", "app"].contains(name) || name.hasPrefix("witness-") {
      try files.removeItem(at: url.appending(path: name))
    }
    try files.createDirectory(at: app, withIntermediateDirectories: true)
    try files.createDirectory(at: collector, withIntermediateDirectories: true)
    try Data("Made by “automobile demo”, which empties this directory when it starts again.\n".utf8)
      .write(to: url.appending(path: Self.mark))
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
