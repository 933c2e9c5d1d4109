/// Which frames are the app's own, and which only carry the news of a crash.
enum FrameRules {
  /// Marks the frames that stand in the app's own code.
  ///
  /// An image is the app's when it lies in no directory of the system and is not one of the runtimes that apps on Linux
  /// bring along. Of its functions those of the recorder itself are not the app's, nor are those that a runtime leaves
  /// in every program, nor what nobody wrote (``CrashReport/Frame/isGlue``).
  static func mark(_ report: inout CrashReport) {
    let isApp = report.images.map(isAppImage)
    func mark(_ frames: inout [CrashReport.Frame]) {
      for index in frames.indices {
        let frame = frames[index]
        let isInImage = frame.image.map { isApp.indices.contains($0) && isApp[$0] } ?? (frame.symbol != nil)
        let isOwn = isInImage && !isMachinery(frame.symbol)
        let image = frame.image.flatMap { report.images.indices.contains($0) ? report.images[$0].name : nil }
        frames[index].isGlue = isOwn && (frame.isGlue || isGlue(frame.symbol, image: image))
        frames[index].isInApp = isOwn && !frames[index].isGlue
      }
    }
    for index in report.threads.indices { mark(&report.threads[index].frames) }
    for index in report.samples.indices { mark(&report.samples[index].frames) }
  }

  /// What a compiler puts between two functions, and before an app's `main`.
  private static func isGlue(_ symbol: String?, image: String?) -> Bool {
    guard let symbol else { return false }
    if symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") {
      // Forwarders of partial applications, reabstractions, protocol witnesses, Objective-C's entries; `@main`.
      return ["TA", "TR", "TW", "To", "5$mainyyFZ", "5$mainyyYaFZ"].contains { symbol.hasSuffix($0) }
    }
    guard let image, symbol.hasSuffix("_main") else { return false }
    let name = image.split(separator: "/").last ?? ""
    return symbol.drop { $0 == "_" } == name.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_main"
  }

  /// Where a program begins: the app's own, and nothing that says what went wrong while there is another function.
  static func isEntry(_ symbol: String?) -> Bool { symbol == "main" || symbol == "_main" }

  static func isAppImage(_ image: CrashReport.Image) -> Bool {
    if let path = image.path {
      // An app's own bundle may lie below any directory, also of a simulator's.
      if path.contains(".app/") && !path.contains("/System/Library/") { return !isRuntime(image.name) }
      if systemDirectories.contains(where: path.hasPrefix) { return false }
      if path.contains("/usr/lib/swift/") || path.contains("/RuntimeRoot/") { return false }
    }
    return !isRuntime(image.name)
  }

  private static let systemDirectories = [
    "/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/", "/System/", "/usr/libexec/", "/Library/Apple/", "/nix/store/",
  ]

  /// Libraries that every program may carry.
  private static func isRuntime(_ image: String) -> Bool {
    let name = image.split(separator: "/").last.map(String.init) ?? image
    return runtimes.contains { name.hasPrefix($0) }
  }

  private static let runtimes = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libBlocksRuntime", "libc.so", "libc-", "libm.so",
    "libpthread", "libstdc++", "libc++", "libgcc_s", "ld-linux", "ld-musl", "linux-vdso", "[vdso]", "libsystem_",
    "libobjc", "libdyld", "dyld", "CoreFoundation", "Foundation", "UIKit", "SwiftUI", "QuartzCore", "GraphicsServices",
    "libicu", "libz.", "libsqlite3", "libgnustep", "XCTest",
  ]

  /// Functions that carry the news: they end a process or report its end, on behalf of a caller.
  static func isMachinery(_ symbol: String?) -> Bool {
    guard let symbol else { return false }
    let name = symbol.drop { $0 == "_" }
    if machinery.contains(String(name)) { return true }
    return machineryPrefixes.contains { name.hasPrefix($0) }
  }

  private static let machinery: Set<String> = [
    "abort", "raise", "gsignal", "pthread_kill", "kill", "tgkill", "pthread_kill_implementation", "libc_message",
    "fortify_fail", "stack_chk_fail", "assert_fail", "assert_rtn", "chk_fail", "cxa_throw", "cxa_rethrow",
    "objc_exception_throw", "objc_terminate", "exceptionPreprocess", "swift_unexpectedError", "swift_fatalError",
    "malloc_printerr", "int_free", "int_malloc", "free", "malloc", "calloc", "realloc", "restore_rt", "sigtramp",
    "start", "libc_start_main", "libc_start_call_main", "start_thread", "clone", "clone3", "thread_start",
    "mh_execute_header",
  ]

  /// Of mangled names without their underscores.
  private static let machineryPrefixes = [
    // The recorder: AutoMobileSDK, AutoMobileJournal, CAutoMobile.
    "$s13AutoMobileSDK", "$s17AutoMobileJournal", "$s22AutoMobileErrorBarrier", "am_crash", "am_stack", "am_journal",
    // Swift's own failures: _assertionFailure, _fatalErrorMessage, preconditionFailure, unexpectedError.
    "$ss17_assertionFailure", "$ss18_fatalErrorMessage", "$ss13_StringObjectV", "$ss10fatalError",
    "$ss19preconditionFailure",
    "$ss12precondition", "$ss15_unexpectedError", "$ss27_diagnoseUnexpected",
    // std::terminate, __cxxabiv1::….
    "ZSt9terminate", "ZN10__cxxabiv1", "ZSt10unexpected", "Unwind_", "GLOBAL__sub_",
  ]
}
