// A program that is made to be killed: it records from four threads as fast as it can, and keeps, in memory that it
// shares with whoever started it, how many calls of each thread have returned.
//
//     sdk-victim DIRECTORY WITNESS [ENDPOINT [keep | remote NUMBER]]
//
// DIRECTORY is where it records; WITNESS is a file of 64 bytes for the counts. With an ENDPOINT it delivers as well, out
// of a journal that has not room for everything, and records no faster than that is possible. With `keep`, it sends only what rules name,
// from a journal that has room; every now and then one of its events is a trigger, and the rules change all the time. With `remote`, rules
// and asks come from the collector at ENDPOINT, users take turns, and each event bears NUMBER; a fifth count is that of its triggers.

import AutoMobileCrashReporting
import AutoMobileSDK
import CAutoMobile
import Foundation

@testable import AutoMobileRecorder

guard (3...6).contains(CommandLine.arguments.count) else {
  FileHandle.standardError.write(Data("usage: sdk-victim DIRECTORY WITNESS [ENDPOINT [keep | remote NUMBER]]\n".utf8))
  exit(64)
}

let file = open(CommandLine.arguments[2], O_RDWR)
guard let mapping = mmap(nil, 64, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), mapping != MAP_FAILED else {
  exit(74)
}
nonisolated(unsafe) let witness = mapping.bindMemory(to: UInt64.self, capacity: 8)

var environment = SdkEnvironment.live()
environment.defaultEndpoint = nil
environment.takesIntegrations = false
// It is killed all the time, also while it starts, and records nothing but what the tests count.
environment.guardsAgainstCrashLoops = false
environment.addLaunchHistory(makeProbe: nil)
let isRemote = CommandLine.arguments.count > 5
let isKeeping = CommandLine.arguments.count > 4 && !isRemote
if isKeeping { environment.hasControlChannel = false }
let sdk = AutoMobileSDK { [environment] in environment }
let directory = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
var configuration = AutoMobileConfiguration(storage: .directory(directory))
if CommandLine.arguments.count > 3 {
  configuration.endpoint = URL(string: CommandLine.arguments[3])
  configuration.journalBudget = 6 << 20
}
let isDelivering = configuration.endpoint != nil
@Sendable func rule(_ trigger: String) -> UploadRule {
  UploadRule(
    trigger, when: .event(UploadEvent(type: .lifecycle, where: [UploadCondition("state", .equals(.string(trigger)))])),
    send: UploadSpan(minutesBefore: 0.01, minutesAfter: 0.005))
}
if isKeeping {
  configuration.journalBudget = 256 << 20
  configuration.upload = .whenTriggered(UploadRules([rule("trigger a")]))
}
if isRemote {
  configuration.journalBudget = 256 << 20
  configuration.flushIntervalMs = 20
  configuration.upload = .whenTriggered(
    UploadRules([
      UploadRule("a", when: rule("trigger a").when, send: UploadSpan(minutesBefore: 0.002, minutesAfter: 0.001))
    ]))
}
sdk.initialize(bundleId: "com.example.victim", configuration: configuration)

/// The n-th event of a thread, in one of the ways in which apps record.
@Sendable func record(_ thread: Int, _ n: Int) {
  let number = String(n)
  switch n % 4 {
  case 0: sdk.trackEvent(name: "victim", properties: ["thread": String(thread), "n": number])
  case 1: sdk.record(SdkNavigationEvent(destination: number, source: .custom, metadata: ["thread": String(thread)]))
  case 2: sdk.getEventBuffer()?.add(SdkLifecycleEvent(state: number, details: ["thread": String(thread)]))
  default:
    sdk.notifyNavigationEvent(
      NavigationEvent(destination: number, source: .deepLink, arguments: ["thread": String(thread)]))
  }
}

/// Events of which none is like another, some of them triggers, in the name of users who take turns.
@Sendable func recordForEver(_ thread: Int, _ victim: String) {
  var (n, triggers) = (0, UInt64(0))
  while true {
    sdk.trackEvent(name: "victim", properties: ["victim": victim, "thread": String(thread), "n": String(n)])
    n += 1
    am_store_release_u64(witness + thread, UInt64(n))
    if thread < 3, n % 120 == 20 + 40 * thread {
      sdk.record(SdkLifecycleEvent(state: ["trigger a", "trigger b", "trigger c"][thread]))
      triggers += 1
      if thread == 0 { am_store_release_u64(witness + 4, triggers) }
    }
    if thread == 3, n % 10 == 0 { sdk.setUserId("u-\(n / 10 % 4)") }
    usleep(useconds_t(2500 + n % 64 * 50))
  }
}

if isRemote {
  let victim = CommandLine.arguments[5]
  for thread in 0..<4 { Thread.detachNewThread { recordForEver(thread, victim) } }
}
for thread in 0..<4 where !isRemote {
  Thread.detachNewThread {
    var n = 0
    while true {
      record(thread, n)
      n += 1
      am_store_release_u64(witness + thread, UInt64(n))
      if isDelivering, n % 8 == 0 { usleep(4000) }
      if isKeeping { usleep(4000) }
      if isKeeping, thread < 2, n % 600 == 100 {
        sdk.record(SdkLifecycleEvent(state: thread == 0 ? "trigger a" : "trigger b"))
      }
      // Some at full speed, some with pauses, so that a kill meets all kinds of moments.
      if n % 64 == 0 { usleep(useconds_t(n % 500)) }
    }
  }
}
if isKeeping {
  Thread.detachNewThread {
    var isBoth = false
    while true {
      isBoth.toggle()
      sdk.runtime?.delivery?.follow(
        .whenTriggered(UploadRules(isBoth ? [rule("trigger b"), rule("trigger a")] : [rule("trigger a")])))
      usleep(7000)
    }
  }
}
// Nobody is left to kill this program when its test has been killed.
let parent = getppid()
while getppid() == parent { sleep(1) }
