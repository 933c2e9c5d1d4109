import AutoMobileSDK
import Foundation

/// The coffee shop's app without screens: the plain SDK, called by hand where on a phone its adapters look for themselves. Real
/// requests, real ends.
///
/// `automobile demo` runs it in the place of the one with screens where there are no stand-ins: on a Mac. It tells the same story.
@main
enum PlainDemo {
  @MainActor
  static func main() async {
    guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
      say(Arguments.usage, to: .standardError)
      exit(64)
    }
    // It dies on purpose: no core file each time.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
    setrlimit(RLIMIT_CORE, &none)
    #endif

    do {
      let visit = try Visit(arguments)
      switch arguments.launch {
      case .first: try await visit.orders()
      case .second: try await visit.comesBackAndCrashes()
      case .third: try await visit.comesBack()
      case .idle: try await visit.waits()
      }
    } catch {
      say("the story does not go on: \(error)", to: .standardError)
      exit(70)
    }
  }

  /// Tells whoever started the process how far it is: one word on a line.
  static func say(_ word: String, to output: FileHandle = .standardOutput) { output.write(Data((word + "\n").utf8)) }
}
