import ArgumentParser
import AutoMobileCollector

/// The identity provider with which people sign in to the viewer.
struct IdentityProviderFlags: ParsableArguments {
  @Option(
    name: .customLong("oidc-issuer"),
    help: "An identity provider (OpenID Connect) with which people sign in to the viewer: https://id.example.com.")
  var issuer: String?

  @Option(name: .customLong("oidc-client-id"), help: "The name by which the identity provider knows this collector.")
  var clientID: String?

  @Option(
    name: .customLong("oidc-client-secret-file"),
    help: ArgumentHelp("A file with the secret that the identity provider gave out for it.", valueName: "file"))
  var secretFile: String?

  @Option(
    name: .customLong("oidc-grant"),
    help:
      "Who may do what: CLAIM=VALUE:ROLE or CLAIM=VALUE:ROLE@PROJECT, as groups=support:viewer@com.example.shop. Can be repeated."
  )
  var grants: [String] = []

  func check() throws {
    guard issuer != nil else {
      guard clientID == nil, secretFile == nil, grants.isEmpty else {
        throw ValidationError("--oidc-issuer is missing.")
      }
      return
    }
    do {
      _ = try options(secret: nil)
    } catch let error as IdentityProviderOptions.InvalidOption {
      throw ValidationError("\(error).")
    }
  }

  /// - Throws: ``Failure`` when the secret's file cannot be used.
  func options() throws -> IdentityProviderOptions? {
    let secrets = try secretFile.map { file in
      try KeyFile.keys(at: file) { Console.standard.note(Console.standard.errorStyle.yellow("warning: ") + $0) }
    }
    return try options(secret: secrets?.first)
  }

  private func options(secret: String?) throws -> IdentityProviderOptions? {
    guard let issuer else { return nil }
    return try IdentityProviderOptions(issuer: issuer, clientID: clientID ?? "", clientSecret: secret, grants: grants)
  }
}
