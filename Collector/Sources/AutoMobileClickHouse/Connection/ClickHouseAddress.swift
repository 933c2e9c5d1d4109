import AutoMobileTLS

/// Where ClickHouse is, and who asks:
/// `clickhouse://user:password@host:8123,other:8123/database?cluster=name`, or `clickhouse+https://…`.
///
/// | part | what it is | without it |
/// |---|---|---|
/// | `user:password` | percent-encoded where need be | `default`, no password |
/// | hosts | several: tried in turn. With a cluster at least one of each shard | |
/// | port | of the HTTP interface | 8123, with https 8443 |
/// | database | | `automobile` |
/// | `cluster` | the name in the servers' `remote_servers` | one server |
/// | `timeout` | of a question, in seconds | 30 |
/// | `compression` | `gzip` or `none`: of answers and of rows that are sent | `none` |
/// | `ca` | with https, a file of certificates (PEM) that are trusted, too | those that the system trusts |
/// | `tls-certificate`, `tls-key` | with https, files by which the servers know who connects | |
package struct ClickHouseAddress: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package struct Host: Sendable, Hashable, CustomStringConvertible {
    /// An IPv6 address without its brackets.
    package var name: String
    package var port: Int

    package init(_ name: String, _ port: Int) {
      self.name = name
      self.port = port
    }

    package var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
  }

  package var isSecure = false
  package var user = "default"
  package var password = ""
  package var hosts: [Host]
  package var database: SQLName
  package var cluster: SQLName?
  package var timeout: Duration = .seconds(30)
  package var isCompressed = false
  package var tls = TLSFiles()

  /// Without the password.
  package var description: String {
    let hosts = hosts.map(\.description).joined(separator: ",")
    let cluster = cluster.map { "?cluster=\($0)" } ?? ""
    return "clickhouse\(isSecure ? "+https" : "")://\(hosts)/\(database)\(cluster)"
  }

  package var debugDescription: String { description }
  /// What prints all members of a value must not print the password.
  package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
