import ArgumentParser
import Foundation

/// `automobile connect [URL]`: which collector the commands ask, from now on.
struct ConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Show or save the collector and the key that commands use.",
    discussion: """
      automobile connect                                               which collector is used, and why
      automobile connect https://collector.example.com --key-file viewer.key
      pass show collector | automobile connect https://collector.example.com --key-stdin
      automobile connect --forget

      Saved in $XDG_CONFIG_HOME/automobile/config.toml or ~/.config/automobile/config.toml, readable only by you. --url comes before \
      AUTOMOBILE_URL, and that before the file; the same holds for keys. A saved key goes to the saved address only. \
      With --json: {"url", "urlFrom", "keyFrom", "file"}.
      """)

  @Argument(help: "The collector's address.")
  var url: String?

  @Option(help: ArgumentHelp("A file with the collector's key; its path is saved.", valueName: "file"))
  var keyFile: String?

  @Flag(help: "Read the key from standard input, and save it.")
  var keyStdin = false

  @Flag(inversion: .prefixedNo, help: "Check that the collector answers before saving.")
  var check = true

  @Flag(help: "Remove what was saved.")
  var forget = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !forget || url == nil else { throw ValidationError("--forget takes no address.") }
    guard url != nil || (keyFile == nil && !keyStdin) else {
      throw ValidationError("A key is saved with the address it belongs to: automobile connect URL --key-file FILE")
    }
    guard keyFile == nil || !keyStdin else { throw ValidationError("Give a --key-file or --key-stdin, not both.") }
  }

  func run() async throws {
    let console = Console.standard
    let path = ConnectionFile.path()
    if forget {
      let isGone = unlink(path) == 0
      if json { return console.out((["removed": .bool(isGone)] as JSON).line) }
      return console.out(isGone ? "Removed \(Printable.text(path))" : "Nothing was saved.")
    }
    if let url { try await save(url, to: path, console) }
    var options = try ConnectionOptions.parse([])
    options.json = json
    show(try options.connection(), path, console)
  }

  private func save(_ url: String, to path: String, _ console: Console) async throws {
    let address = try Connection.address(url, .option("connect"))
    var file = ConnectionFile(url: address.absoluteString)
    var key: String?
    if let keyFile {
      file.keyFile = URL(filePath: keyFile).absoluteURL.path
      key = try KeyFile.keys(at: keyFile) {
        console.note(console.errorStyle.yellow("warning: ") + $0)
      }.first
    } else if keyStdin {
      let data = FileHandle.standardInput.readDataToEndOfFile()
      let text = String(data: data.prefix(4096), encoding: .utf8) ?? ""
      key = text.split(whereSeparator: \.isWhitespace).first.map(String.init)
      guard key != nil else { throw Failure(kind: .unavailable, message: "There is no key on standard input.") }
      file.key = key
    }
    if check {
      do {
        _ = try await CollectorClient(url: address, key: key).get("/api/sessions", [("limit", "1")])
      } catch var failure as Failure {
        failure.advice = "Nothing was saved. Save it in any case with --no-check."
        throw failure
      }
    }
    try file.write(to: path)
    if !json { console.note("Saved to \(Printable.text(path))") }
  }

  private func show(_ connection: Connection, _ path: String, _ console: Console) {
    let isThere = FileManager.default.fileExists(atPath: path)
    if json {
      let answer: JSON = [
        "url": .string(connection.url.absoluteString), "urlFrom": .string(Self.name(connection.urlSource)),
        "keyFrom": JSON(connection.keySource.map(Self.name)), "file": isThere ? .string(path) : .null,
      ]
      return console.out(answer.line)
    }
    let style = console.style
    func line(_ name: String, _ value: String, _ remark: String?) {
      let label = style.bold(name.padding(toLength: 10, withPad: " ", startingAt: 0))
      console.out("\(label) \(value)" + (remark.map { " " + style.dim("(\($0))") } ?? ""))
    }
    line("collector", Printable.text(connection.url.absoluteString), connection.urlSource.text)
    let keyless = connection.hasForeignKey ? "none: the saved one belongs to another address" : "none"
    line("key", connection.keySource == nil ? keyless : "given", connection.keySource?.text)
    line("file", Printable.text(path), isThere ? nil : "does not exist")
  }

  private static func name(_ source: Connection.Source) -> String {
    switch source {
    case .option(let name), .variable(let name): name
    case .file(let path): path
    case .standard: "default"
    }
  }
}
