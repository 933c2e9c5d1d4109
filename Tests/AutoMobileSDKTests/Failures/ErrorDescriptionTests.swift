import Foundation
import Testing

@testable import AutoMobileCrashReporting

private enum Hidden: Error { case away }

@Suite struct ErrorDescriptionTests {
  private enum Payment: Error {
    case declined(code: Int)
    case network(any Error, attempt: Int)
    case several([any Error])
  }

  private struct Explained: LocalizedError {
    var errorDescription: String? { "The card was declined." }
  }

  private struct Numbered: CustomNSError {
    static var errorDomain: String { "Numbered" }
    var errorCode: Int { 42 }
    var errorUserInfo: [String: Any] { [NSUnderlyingErrorKey: Payment.declined(code: 3)] }
  }

  private struct Wrapping: Error {
    var name = "outer"
    var inner: (any Error)?
  }

  @Test func `a Swift error is named by its type and described by its value`() {
    let error = ErrorDescription(Payment.declined(code: 51))
    #expect(error.domain == "AutoMobileSDKTests.ErrorDescriptionTests.Payment")
    #expect(error.message == "declined(code: 51)")
    #expect(error.code == nil)
  }

  @Test func `a private type has the same name in every process`() {
    #expect(ErrorDescription(Hidden.away).domain == "AutoMobileSDKTests.Hidden")
  }

  @Test func `what an error says for people comes first`() {
    #expect(ErrorDescription(Explained()).message == "The card was declined.")
  }

  @Test func `domains and codes are kept where there are any`() {
    let numbered = ErrorDescription(Numbered())
    #expect(numbered.domain == "Numbered")
    #expect(numbered.code == 42)
    let object = ErrorDescription(NSError(domain: "Shop", code: -9))
    #expect(object.domain == "Shop")
    #expect(object.code == -9)
    let url = ErrorDescription(URLError(.timedOut))
    #expect(url.domain == NSURLErrorDomain)
    #expect(url.code == NSURLErrorTimedOut)
  }

  @Test func `a description beyond all measure is cut`() {
    let message = ErrorDescription(Wrapping(name: String(repeating: "é", count: 100_000))).message
    #expect(message?.utf8.count ?? 0 <= ErrorDescription.maximumMessage)
    #expect(message?.hasSuffix("…") == true)
  }

  private func chain(_ error: any Error) -> [String] {
    ErrorChain.underlying(error).map { ErrorDescription($0).message ?? "" }
  }

  @Test func `errors among the values of an error lie behind it`() {
    #expect(chain(Payment.network(Explained(), attempt: 2)) == ["The card was declined."])
    #expect(chain(Wrapping(inner: Wrapping(inner: Explained()))).last == "The card was declined.")
    #expect(chain(Payment.several([Explained(), Explained()])).count == 2)
    #expect(chain(Payment.declined(code: 1)).isEmpty)
    #expect(chain(Wrapping()).isEmpty)
    #expect(chain(Numbered()) == ["declined(code: 3)"])
  }

  @Test func `a decoding error's cause is found`() {
    let context = DecodingError.Context(codingPath: [], debugDescription: "no", underlyingError: Explained())
    #expect(chain(DecodingError.dataCorrupted(context)) == ["The card was declined."])
  }

  @Test func `an error behind itself is no reason to go on for ever`() {
    final class Loop: Error, @unchecked Sendable {
      // Unchecked: this test has one thread.
      var next: (any Error)?
    }
    let loop = Loop()
    loop.next = loop
    #expect(ErrorChain.underlying(loop).count <= ErrorChain.maximumCount)
    loop.next = nil
    var deep: any Error = Explained()
    for _ in 0..<1000 { deep = Wrapping(inner: deep) }
    #expect(ErrorChain.underlying(deep).count <= ErrorChain.maximumCount)
  }
}
