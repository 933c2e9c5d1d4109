import AutoMobileSDK
import Foundation

/// A coffee shop's app without a screen: the real SDK, real requests, real ends.
///
/// `automobile demo` runs it three times on one storage directory; see ``FirstLaunch``, ``SecondLaunch``, ``ThirdLaunch``.
@main
enum DemoApp {
  @MainActor
  static func main() async {
    guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
      FileHandle.standardError.write(Data((Arguments.usage + "\n").utf8))
      exit(64)
    }
    // It dies on purpose: no core file each time.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)

    let app = App(arguments)
    switch arguments.launch {
    case 1: await FirstLaunch(app: app).run()
    case 2: await SecondLaunch(app: app).run()
    default: await ThirdLaunch(app: app).run()
    }
  }
}
