import Foundation

/// The coffee shop's app on a phone without a display: its own screens, on stand-ins for Apple's frameworks, with the real
/// SDK, real requests and real ends. What is recorded comes from the SDK's adapters.
///
/// `automobile demo` runs it three times on one storage directory; see ``FirstLaunch``, ``SecondLaunch``, ``ThirdLaunch``.
@main
enum DemoApp {
  static func main() {
    Task { @MainActor in await run() }
    // Timers are on the main run loop, as in every app.
    RunLoop.main.run()
  }

  @MainActor
  private static func run() async {
    guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
      say(Arguments.usage, to: .standardError)
      exit(64)
    }
    // It dies on purpose: no core file each time.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)

    do {
      let phone = try Phone(arguments)
      let person = Person(phone, pace: arguments.pace)
      switch arguments.launch {
      case .first: try await FirstLaunch(phone: phone, person: person).run()
      case .second: try await SecondLaunch(phone: phone, person: person).run()
      case .third: try await ThirdLaunch(phone: phone, person: person).run()
      case .idle: try await ThirdLaunch(phone: phone, person: person).wait()
      }
    } catch {
      say("the story does not go on: \(error)", to: .standardError)
      exit(70)
    }
    exit(0)
  }

  /// Tells whoever started the process how far it is: one word on a line.
  static func say(_ word: String, to output: FileHandle = .standardOutput) { output.write(Data((word + "\n").utf8)) }
}
