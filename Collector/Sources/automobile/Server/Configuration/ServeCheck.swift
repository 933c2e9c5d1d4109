/// `automobile serve --check-config`: what a collector would be started with.
enum ServeCheck {
  static func write(_ arguments: ServeArguments, asJSON: Bool, _ console: Console) {
    if asJSON { return console.out(json(arguments).line) }
    let style = console.style
    if let file = arguments.file {
      console.out("\(style.green("✓")) “\(Printable.text(file.path))” can be used.")
    }
    var table = Table(columns: [
      .init(title: "SETTING", paint: { $0.cyan($1) }), .init(title: "VALUE", minimum: 20),
      .init(title: "FROM", rank: 1),
    ])
    table.rows = arguments.given.map { given in
      [given.setting.name, shown(given) ?? "(hidden)", given.line.map { "line \($0)" } ?? "command line"]
        .map(Printable.text)
    }
    if !table.rows.isEmpty {
      for line in table.lines(width: console.width, style: style) { console.out(line) }
    }
    console.out(style.dim("Everything else is as “automobile serve --help” says."))
  }

  private static func json(_ arguments: ServeArguments) -> JSON {
    let settings = arguments.given.map { given in
      var members: [String: JSON] = ["name": .string(given.setting.name), "value": JSON(shown(given))]
      if let line = given.line { members["line"] = JSON(line) }
      return JSON.object(members)
    }
    return ["config": JSON(arguments.file?.path), "settings": .array(settings)]
  }

  /// Nil: a secret.
  private static func shown(_ given: ServeArguments.Given) -> String? { given.setting.isSecret ? nil : given.value }
}
