import ArgumentParser

/// `automobile mock remove BUNDLE ID…`
struct MockRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove rules.")

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @Argument(help: "The rules' names.")
  var ids: [String]

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let document = try await options.client().changeConfiguration(of: bundle) { sections in
      var list = try MockList(sections)
      for id in ids {
        guard let index = list.index(of: id) else {
          let names = list.rules.compactMap { $0["id"]?.text }.joined(separator: ", ")
          throw Failure(
            message: "No rule “\(Printable.text(id))”.",
            advice: names.isEmpty ? "There are none." : "There are: \(Printable.text(names))")
        }
        list.rules.remove(at: index)
      }
      try list.write(to: &sections)
    }
    await options.tell(document, "without \(Printable.text(ids.joined(separator: ", ")))", Console.standard)
  }
}

/// `automobile mock clear BUNDLE`
struct MockClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Remove all rules: the network answers every request again.")

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let document = try await options.client().changeConfiguration(of: bundle) { sections in
      try sections.set([MockList.section], Optional.none)
    }
    await options.tell(document, "no rules of its own", Console.standard)
  }
}
