#if os(macOS) || os(Linux)
import Foundation
import TestTools

@testable import AutoMobileSDK

/// `Tests/Helpers/http-server/server.py`: what answers what is said there. Ends with this object.
final class OddServer: Sendable {
  private let process = Process()
  private let input = Pipe()
  let url: URL

  struct Failure: Error { var reason: String }

  /// - Parameter certificate: with its key: the server speaks TLS.
  init(certificate: SelfSignedCertificate? = nil) async throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Helpers/http-server/server.py").standardizedFileURL
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    if let certificate {
      process.arguments? += ["--certificate", certificate.certificate.path, "--key", certificate.key.path]
    }
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = await onThread { () -> String in
      var line = Data()
      while line.last != UInt8(ascii: "\n"), let byte = try? output.fileHandleForReading.read(upToCount: 1),
        !byte.isEmpty
      {
        line += byte
      }
      return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let scheme = certificate == nil ? "http" : "https"
    guard let url = Int(line).flatMap({ URL(string: "\(scheme)://127.0.0.1:\($0)") }) else {
      throw Failure(reason: "the server says \(line)")
    }
    self.url = url
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func url(_ path: String) -> URL { URL(string: url.absoluteString + path) ?? url }
}

/// Made by openssl for one test.
struct SelfSignedCertificate: Sendable {
  let directory: TemporaryDirectory
  var certificate: URL { directory.file("certificate.pem") }
  var key: URL { directory.file("key.pem") }

  init() async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let status = await onThread { () -> Int32 in
      let openssl = Process()
      openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      openssl.arguments = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", directory.file("key.pem").path, "-out", directory.file("certificate.pem").path,
      ]
      openssl.standardError = FileHandle.nullDevice
      guard (try? openssl.run()) != nil else { return -1 }
      openssl.waitUntilExit()
      return openssl.terminationStatus
    }
    guard status == 0 else { throw OddServer.Failure(reason: "openssl: \(status)") }
  }
}
#endif
