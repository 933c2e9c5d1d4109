import Foundation

/// What the process is told by whoever starts it.
struct Arguments {
  /// The collector's address.
  var endpoint: URL
  /// Where recordings lie until they are delivered; the same in all launches.
  var directory: URL
  /// The shop's address.
  var shop: URL
  /// Which part of the story this run tells.
  var launch: Launch
  /// The file that counts the recording calls that returned.
  var witness: URL?
  /// The file that counts the frames that were taken.
  var frames: URL?
  /// How slowly it goes: 1 is as a person would, 0 without any pause.
  var pace = 1.0
  /// The collector's key.
  var key: String?
  /// Events stay on the device, but for what the standard rules name.
  var keeps = false

  enum Launch: String {
    case first = "1"
    case second = "2"
    case third = "3"
    /// None: the app is opened, and waits.
    case idle
  }

  static let usage = """
    usage: automobile-demo-app --endpoint URL --directory DIR --shop URL --launch 1|2|3|idle
                               [--witness FILE] [--frames FILE] [--pace FACTOR] [--key KEY] [--upload everything|triggered]
    """

  /// Nil when one is missing, unknown or no good.
  init?(_ arguments: [String]) {
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else { return nil }
      values[String(name.dropFirst(2))] = value
    }
    guard let endpoint = values.removeValue(forKey: "endpoint").flatMap({ URL(string: $0) }),
      let directory = values.removeValue(forKey: "directory"),
      let shop = values.removeValue(forKey: "shop").flatMap({ URL(string: $0) }),
      let launch = values.removeValue(forKey: "launch").flatMap({ Launch(rawValue: $0) })
    else { return nil }
    self.endpoint = endpoint
    self.directory = URL(fileURLWithPath: directory, isDirectory: true)
    self.shop = shop
    self.launch = launch
    witness = values.removeValue(forKey: "witness").map { URL(fileURLWithPath: $0) }
    frames = values.removeValue(forKey: "frames").map { URL(fileURLWithPath: $0) }
    if let pace = values.removeValue(forKey: "pace") {
      guard let factor = Double(pace), (0...10).contains(factor) else { return nil }
      self.pace = factor
    }
    key = values.removeValue(forKey: "key")
    if let upload = values.removeValue(forKey: "upload") {
      guard ["everything", "triggered"].contains(upload) else { return nil }
      keeps = upload == "triggered"
    }
    guard values.isEmpty else { return nil }
  }
}
