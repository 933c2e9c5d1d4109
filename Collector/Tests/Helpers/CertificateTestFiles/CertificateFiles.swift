import Foundation

/// Authorities and certificates in a folder of their own, made with openssl as an operator makes them. They are gone with the value.
package final class CertificateFiles: Sendable {
  package let folder: URL

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  package func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Makes `NAME.pem` and `NAME.key`.
  package func authority(_ name: String) throws {
    try openssl(
      ["req", "-x509", "-days", "7", "-subj", "/CN=\(name)"] + Self.key + [
        "-keyout", path("\(name).key"), "-out", path("\(name).pem"), "-addext", "basicConstraints=critical,CA:TRUE",
        "-addext", "keyUsage=keyCertSign",
      ])
  }

  /// Makes `NAME.pem` and `NAME.key`, signed by an authority.
  ///
  /// - Parameters:
  ///   - names: as `DNS:localhost`, `IP:127.0.0.1`.
  ///   - days: -1: it ended yesterday.
  package func certificate(_ name: String, by authority: String, names: [String], days: Int = 7) throws {
    try Data("subjectAltName=\(names.joined(separator: ","))\n".utf8).write(to: folder.appending(path: "names"))
    try openssl(
      ["req", "-new", "-subj", "/CN=\(name)"] + Self.key + ["-keyout", path("\(name).key"), "-out", path("request")])
    try openssl([
      "x509", "-req", "-in", path("request"), "-CA", path("\(authority).pem"), "-CAkey", path("\(authority).key"),
      "-set_serial", String(Int.random(in: 1 ... .max)), "-days", String(days), "-extfile", path("names"), "-out",
      path("\(name).pem"),
    ])
  }

  /// Has a file be another one from now on, in one step, as who renews it should.
  package func replace(_ name: String, with other: String) throws {
    let new = path(".\(name).new")
    try? FileManager.default.removeItem(atPath: new)
    try FileManager.default.copyItem(atPath: path(other), toPath: new)
    guard rename(new, path(name)) == 0 else { throw Failed(description: "\(name) cannot be replaced") }
  }

  package struct Failed: Error, CustomStringConvertible {
    package var description: String
  }

  private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

  private func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let errors = Pipe()
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "openssl: \(text.suffix(500))") }
  }
}
