import ArgumentParser
import AutoMobileCollector
import Foundation
import Logging

/// What `automobile serve` can be told, on its command line and in its configuration file.
struct ServeOptions: ParsableArguments {
  @Option(help: "The port to listen on; 0 chooses a free one.")
  var port = 8765

  @Option(help: "The address to listen on. Use 0.0.0.0 for other machines; it then needs a key.")
  var host = "127.0.0.1"

  @Option(help: "The data directory.")
  var data: String?

  @Option(
    name: .customLong("tls-certificate"),
    help: "A file with its certificate and those of the authorities before it (PEM): it then speaks HTTPS.")
  var tlsCertificate: String?

  @Option(name: .customLong("tls-key"), help: "The file with the certificate's private key (PEM).")
  var tlsKey: String?

  @Option(
    help: ArgumentHelp(
      "Where replays, symbols and sources are kept: s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, with ca=FILE for authorities of your own (PEM). The key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in the file AWS_SHARED_CREDENTIALS_FILE, which may be renewed. Without it: in the data directory.",
      valueName: "place"))
  var blobs: String?

  @Option(
    help: ArgumentHelp(
      "Where projects, keys, settings and decisions are kept: postgres://USER@HOST/DATABASE, which collectors share. The password is in PGPASSWORD, or in a file of passwords (PGPASSFILE). Without it: in the data directory.",
      valueName: "place"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      "Where sessions, events and all that apps record is kept: clickhouse://USER@HOST,HOST2/DATABASE?cluster=NAME, or clickhouse+https://…, with ca=FILE for authorities of your own (PEM). The password is in CLICKHOUSE_PASSWORD, or in a file that CLICKHOUSE_PASSWORD_FILE names. Several collectors that share it need --state, too. Without it: in the data directory.",
      valueName: "place"))
  var store: String?

  @OptionGroup var keys: ServerKeyOptions

  @OptionGroup var rates: ServerRateOptions

  @Option(name: .customLong("allow-host"), help: "Another host name that browsers may use for it.")
  var allowedHosts: [String] = []

  @Option(
    name: .customLong("trusted-proxy"),
    help:
      "A proxy, or a network of them, whose X-Forwarded-For, Forwarded and X-Forwarded-Proto are believed: 127.0.0.1, 10.1.0.0/16."
  )
  var trustedProxies: [String] = []

  @Option(
    name: .customLong("resend-to"),
    help:
      "A host that recorded requests may be resent to: api.staging.example.com, *.example.com, localhost:3000."
  )
  var resendHosts: [String] = []

  @Option(
    name: .customLong("public-url"),
    help: "How people get to its viewer, for links in alerts: https://automobile.example.com.")
  var publicURL: String?

  @Option(
    name: .customLong("allow-egress"),
    help:
      "An address that alerts and forwarders may connect to though it is not public: hooks.internal, localhost:9000, 10.1.0.0/16."
  )
  var allowedEgress: [String] = []

  @Option(
    name: .customLong("egress-ca"),
    help: "A file of certificates (PEM) that are trusted beside the system's by alerts and forwarders.")
  var egressAuthorities: [String] = []

  @Flag(
    name: .customLong("sign-in-link"), inversion: .prefixedNo,
    help:
      "Print a link that signs an admin in to the viewer, once, within 15 minutes. (default: when it asks for keys, on a terminal)"
  )
  var signInLink: Bool?

  @Option(name: .customLong("audit-days"), help: "How long the audit log (who opened and changed what) is kept.")
  var auditDays = 365

  @OptionGroup var provider: IdentityProviderFlags

  @Flag(inversion: .prefixedNo, help: "Full-text search; costs about half the indexing speed.")
  var fullText = true

  @Flag(
    name: .customLong("mcp-commands"),
    help: "Let agents at /mcp query databases, read preferences and add mock rules of running debug builds.")
  var agentCommands = false

  @Option(help: "Largest request body accepted, in bytes.")
  var maxBody: Int?

  @Option(help: "Log level on standard error: trace, debug, info, notice, warning, error or critical.")
  var logLevel = Logger.Level.warning

  @Flag(help: "Print its address as JSON.")
  var json = false

  /// Of each option what can be said of it alone, so that lines of a file can be tried one by one.
  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    guard maxBody.map({ (1024...1 << 30).contains($0) }) ?? true else {
      throw ValidationError("--max-body must be between 1024 and \(1 << 30).")
    }
    do {
      _ = try ResendTargets(resendHosts)
    } catch {
      throw ValidationError("--resend-to: \(error).")
    }
    do {
      _ = try TrustedProxies(trustedProxies)
    } catch {
      throw ValidationError("--trusted-proxy: \(error).")
    }
    do {
      _ = try EgressPolicy(allowedEgress)
    } catch {
      throw ValidationError("--allow-egress: \(error).")
    }
    do {
      if let blobs { _ = try BlobPlace(blobs) }
    } catch {
      throw ValidationError("--blobs: \(error).")
    }
    do {
      if let state { _ = try StatePlace(state) }
    } catch {
      throw ValidationError("--state: \(error).")
    }
    do {
      if let store { _ = try TelemetryPlace(store) }
    } catch {
      throw ValidationError("--store: \(error).")
    }
    guard (1...36_500).contains(auditDays) else { throw ValidationError("--audit-days must be from 1 to 36500.") }
    if let publicURL {
      let parts = URLComponents(string: publicURL)
      guard ["http", "https"].contains(parts?.scheme), parts?.host?.isEmpty == false, parts?.query == nil,
        parts?.fragment == nil, parts?.user == nil
      else { throw ValidationError("--public-url is an address as https://automobile.example.com.") }
    }
  }

  /// What can only be said of several together, wherever each of them stands.
  func checkTogether() throws {
    guard (tlsCertificate == nil) == (tlsKey == nil) else {
      throw ValidationError("--tls-certificate and --tls-key belong together.")
    }
    try provider.check()
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
