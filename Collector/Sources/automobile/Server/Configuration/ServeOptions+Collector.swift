import AutoMobileCollector
import Foundation

extension ServeOptions {
  /// What the collector is made with.
  ///
  /// - Throws: ``Failure`` when a file with keys, or with a provider's secret, cannot be used.
  func collectorOptions(_ console: Console) throws -> CollectorOptions {
    let directory = (data.map { URL(filePath: $0) } ?? DataDirectory.standard).absoluteURL
    var options = CollectorOptions(dataDirectory: directory)
    options.host = host
    options.port = port
    options.allowedHosts = allowedHosts
    if let tlsCertificate, let tlsKey { options.tlsCertificate = (tlsCertificate, tlsKey) }
    options.fullTextSearch = fullText
    options.resendTargets = try ResendTargets(resendHosts)
    options.agentCommands = agentCommands
    options.trustedProxies = try TrustedProxies(trustedProxies)
    options.egress = try EgressPolicy(allowedEgress)
    options.egressAuthorities = egressAuthorities
    if let blobs { options.blobs = try BlobPlace(blobs) }
    if let state { options.state = try StatePlace(state) }
    if let store { options.store = try TelemetryPlace(store) }
    options.auditDays = auditDays
    options.identityProvider = try provider.options()
    options.publicURL = publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    options.onAlert = { console.note(Printable.text($0)) }
    if let maxBody { options.limits.bodyBytes = maxBody }
    options.rates = rates.rates(isReachable: options.isReachable)
    options.ingestKeys = try keys.ingestKeys()
    options.operatorKeys = try keys.operatorKeys()
    return options
  }
}
