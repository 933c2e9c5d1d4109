/// One of the options of `serve`, as a configuration file may name it.
///
/// They are read from what the parser says of ``ServeOptions``, so that an option that is added there is known here.
struct ServeSetting: Equatable {
  /// As the long option, without its dashes.
  let name: String
  /// `true` or `false` in a file.
  let isFlag: Bool
  /// A flag that `--no-…` switches off.
  let hasOpposite: Bool
  let isRepeatable: Bool

  var isSecret: Bool { ServerKeyOptions.secrets.contains(name) }

  /// In the order of the help.
  static let all: [ServeSetting] = {
    let described = (try? JSON(text: ServeOptions._dumpHelp()))?["command"]?["arguments"]?.array ?? []
    let found = described.compactMap { argument -> (name: String, isFlag: Bool, isRepeatable: Bool)? in
      let names = argument["names"]?.array ?? []
      guard let name = names.first(where: { $0["kind"]?.string == "long" })?["name"]?.string,
        !["help", "version"].contains(name)
      else { return nil }
      return (name, argument["kind"]?.string == "flag", argument["isRepeating"]?.bool ?? false)
    }
    let names = Set(found.map(\.name))
    return found.compactMap { name, isFlag, isRepeatable -> ServeSetting? in
      // The other half of a flag, which a file calls false.
      if isFlag, name.hasPrefix("no-"), names.contains(String(name.dropFirst(3))) { return nil }
      return ServeSetting(
        name: name, isFlag: isFlag, hasOpposite: isFlag && names.contains("no-" + name), isRepeatable: isRepeatable)
    }
  }()

  static func named(_ name: String) -> ServeSetting? { all.first { $0.name == name } }

  /// The flag that `no-full-text` switches off.
  static func opposite(of name: String) -> ServeSetting? {
    guard name.hasPrefix("no-"), let flag = named(String(name.dropFirst(3))), flag.hasOpposite else { return nil }
    return flag
  }
}
