import Testing

@testable import AutoMobileRecorder

@Suite struct ProgramKindTests {
  @Test(arguments: [
    ("/private/var/containers/Bundle/Application/X/Shop.app", false, ProgramKind.application),
    ("/private/var/containers/Bundle/Application/X/Shop.app/PlugIns/Share.appex", false, .appExtension),
    ("/Applications/Shop.app", true, .application), ("/Applications/Shop.app/", true, .application),
    ("/Applications/Shop.app/Contents/PlugIns/Share.appex", true, .appExtension),
    ("/usr/local/bin", true, .tool), ("/Applications/Shop.app/Contents/XPCServices/Sync.xpc", true, .tool),
  ])
  func `only an application has a life that somebody tells of`(path: String, isDesktop: Bool, kind: ProgramKind) {
    #expect(ProgramKind(bundlePath: path, isDesktop: isDesktop) == kind)
  }
}
