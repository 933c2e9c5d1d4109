import Foundation
import Testing

@testable import AutoMobileCollector

/// Against the examples that Amazon publishes: of its signature's test suite, and of S3's own documentation.
@Suite struct `The signature of requests to S3` {
  private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private static func suite(_ request: S3Signature.Request) -> String {
    let credentials = S3Credentials(
      accessKey: "AKIDEXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    return S3Signature(credentials: credentials, region: "us-east-1", service: "service")
      .authorization(request, time: "20150830T123600Z")
  }

  private static let suiteHeaders = [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")]

  @Test func `is that of get-vanilla`() {
    let found = Self.suite(.init(method: "GET", path: "/", headers: Self.suiteHeaders, bodyHash: Self.empty))
    #expect(
      found
        == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,SignedHeaders=host;x-amz-date,Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    )
  }

  @Test func `is that of get-vanilla-query-order-key-case`() {
    let found = Self.suite(
      .init(
        method: "GET", path: "/", query: [("Param2", "value2"), ("Param1", "value1")], headers: Self.suiteHeaders,
        bodyHash: Self.empty))
    #expect(found.hasSuffix("Signature=b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"))
  }

  @Test func `is that of post-vanilla`() {
    let found = Self.suite(.init(method: "POST", path: "/", headers: Self.suiteHeaders, bodyHash: Self.empty))
    #expect(found.hasSuffix("Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"))
  }

  @Test func `takes a header with blanks for what it is on the way, without them`() {
    func signed(_ value: String) -> String {
      Self.suite(
        .init(
          method: "GET", path: "/", headers: Self.suiteHeaders + [("My-Header1", value)], bodyHash: Self.empty))
    }
    #expect(signed("  a   b ") == signed("a b"))
    #expect(signed("a b") != signed("ab"))
  }

  private static func amazon(
    _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [],
    bodyHash: String = empty
  ) -> String {
    let credentials = S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    let all =
      [
        ("host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", bodyHash),
        ("x-amz-date", "20130524T000000Z"),
      ] + headers
    return S3Signature(credentials: credentials, region: "us-east-1")
      .authorization(
        .init(method: method, path: path, query: query, headers: all, bodyHash: bodyHash), time: "20130524T000000Z")
  }

  @Test func `is that of S3's example of a range`() {
    let found = Self.amazon("GET", "/test.txt", headers: [("Range", "bytes=0-9")])
    #expect(found.hasSuffix("Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"))
  }

  @Test func `is that of S3's example of a put`() {
    let body = "Welcome to Amazon S3."
    let path = "/" + S3Signature.encoded("test$file.text", keepingSlashes: true)
    let found = Self.amazon(
      "PUT", path,
      headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
      bodyHash: S3Signature.hash(body.utf8))
    #expect(found.hasSuffix("Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
  }

  @Test func `is that of S3's examples of a query`() {
    #expect(
      Self.amazon("GET", "/", query: [("lifecycle", "")])
        .hasSuffix("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    #expect(
      Self.amazon("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
        .hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
  }

  @Test func `moments are written as it wants them`() {
    #expect(S3Signature.time(Date(timeIntervalSince1970: 1_369_353_600)) == "20130524T000000Z")
  }
}
