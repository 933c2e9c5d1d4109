import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `The place of blobs` {
  @Test func `is read with its defaults`() throws {
    let amazon = try S3Settings("s3://recordings/team/a?region=eu-central-1")
    #expect(amazon.bucket == "recordings" && amazon.prefix == "team/a" && amazon.style == .virtual)
    #expect(amazon.endpoint.absoluteString == "https://s3.eu-central-1.amazonaws.com")
    #expect(amazon.mark == "s3://recordings/team/a")
    let own = try S3Settings("s3://recordings/?endpoint=http://10.0.0.7:9000/")
    #expect(own.prefix == "" && own.style == .path && own.endpoint.absoluteString == "http://10.0.0.7:9000")
    let secure = try S3Settings("s3://recordings?endpoint=https://store.internal:9000&ca=/etc/own%20ca.pem")
    #expect(secure.tls.authorities == "/etc/own ca.pem" && secure.mark == own.mark)
    #expect(own.key("a") == "a" && amazon.key("a") == "team/a/a")
    #expect(try BlobPlace("folder") == .folder)
  }

  @Test(arguments: [
    "", "/data", "http://bucket", "s3://", "s3://b", "s3://Bucket", "s3://buc_ket", "s3://-bucket",
    "s3://bucket/../x", "s3://bucket/a//b", "s3://bucket/a b", "s3://bucket/%2e%2e/x", "s3://bucket?endpoint=ftp://x",
    "s3://bucket?endpoint=https://x/path", "s3://bucket?endpoint=https://u:p@x", "s3://bucket?region=a&region=b",
    "s3://bucket?region=a/b", "s3://bucket?secret=x", "s3://bucket?style=other", "s3://key:secret@bucket",
    "s3://bucket#x", "s3://a.bucket", "s3://bucket?endpoint=http://x&ca=/a.pem", "s3://bucket?ca=/a.pem&ca=/b.pem",
    "s3://bucket?tls-key=/a", "s3://bucket?ca=",
  ]) func `is refused when it can be none`(_ text: String) {
    #expect(throws: BlobPlace.Invalid.self) { try BlobPlace(text) }
  }

  @Test func `has its key from the environment, or a file, and does not tell it`() throws {
    let given = try S3Keys.find(in: ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "hush"]).key()
    #expect(given.accessKey == "a" && given.secretKey == "hush" && given.sessionToken == nil)
    var printed = "\(given) \(String(reflecting: given)) "
    dump(given, to: &printed)
    #expect(!printed.contains("hush"))
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "credentials")
    let environment = ["AWS_SHARED_CREDENTIALS_FILE": file.path]
    #expect(throws: BlobPlace.Invalid.self) { try S3Keys.find(in: environment) }
    try Data(
      "# ours\n[other]\naws_access_key_id = no\n\n[default]\naws_access_key_id=x\n aws_secret_access_key = y=z\n".utf8
    ).write(to: file)
    let found = try S3Keys.find(in: environment).key()
    #expect(found.accessKey == "x" && found.secretKey == "y=z")
    #expect(throws: BlobPlace.Invalid.self) {
      try S3Keys.find(in: environment.merging(["AWS_PROFILE": "other"]) { $1 })
    }
  }
}
