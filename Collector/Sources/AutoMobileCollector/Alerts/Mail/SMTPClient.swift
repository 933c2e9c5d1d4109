import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Brings one mail to a server: RFC 5321 with STARTTLS (3207) or TLS from the start (8314), and AUTH PLAIN or LOGIN (4954).
struct SMTPClient: Sendable {
  let egress: Egress
  /// Of all of it.
  var seconds = 30.0

  /// - Throws: ``SMTPError``, ``EgressError``; what the network or TLS says.
  func send(_ message: MailMessage, by mail: AlertChannel.Mail) async throws {
    let address = try await egress.address(of: mail.host, port: mail.port)
    let lines = message.lines
    try await Deadline.within(seconds) {
      let place = try SocketAddress(ipAddress: address.text, port: mail.port)
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(5))
        .connect(to: place) { channel in
          channel.eventLoop.makeCompletedFuture {
            if mail.security == .tls {
              try channel.pipeline.syncOperations.addHandler(tls(mail.host))
            }
            return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
          }
        }
      try await channel.executeThenClose { inbound, outbound in
        var talk = SMTPTalk(channel: channel.channel, inbound: inbound.makeAsyncIterator(), outbound: outbound)
        try await talk.run(mail, lines, from: message.from, to: message.to) { try tls(mail.host) }
      }
    }
  }

  /// The certificate must be for the name that was set, also though the address was looked up before.
  private func tls(_ host: String) throws -> NIOSSLClientHandler {
    let context = try NIOSSLContext(configuration: egress.tls)
    return try NIOSSLClientHandler(context: context, serverHostname: EgressAddress(host) == nil ? host : nil)
  }
}

/// What is said on one connection.
private struct SMTPTalk {
  let channel: any Channel
  var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var replies = SMTPReplies()

  init(
    channel: any Channel, inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    (self.channel, self.inbound, self.outbound) = (channel, inbound, outbound)
  }

  mutating func run(
    _ mail: AlertChannel.Mail, _ lines: [String], from: String, to: [String],
    tls: @escaping @Sendable () throws -> NIOSSLClientHandler
  ) async throws {
    try await expect(220, of: "its greeting")
    var offers = try await hello(from)
    var isSecure = mail.security == .tls
    if mail.security == .starttls {
      guard offers.contains("STARTTLS") else { throw SMTPError.noTLS }
      try await say("STARTTLS", expect: 220)
      // Said before the lock was on: somebody in between may have said it (CVE-2011-0411).
      guard replies.isEmpty else { throw SMTPError.unreadable("it said more than it was asked before TLS began") }
      try await channel.eventLoop.submit { [channel] in
        try channel.pipeline.syncOperations.addHandler(try tls(), position: .first)
      }.get()
      isSecure = true
      offers = try await hello(from)
    }
    if let user = mail.user, let password = mail.password {
      guard isSecure || mail.allowsPlainPassword else { throw SMTPError.noTLS }
      try await authenticate(user, password, offers)
    }
    try await say("MAIL FROM:<\(from)>", expect: 250)
    var taken = 0
    var refusal: (any Error)?
    for address in to {
      do {
        try await say("RCPT TO:<\(address)>", expect: 250, 251)
        taken += 1
      } catch let error as SMTPError { refusal = error }
    }
    // One address that is gone does not keep the others from knowing.
    if let refusal, taken == 0 { throw refusal }
    try await say("DATA", expect: 354)
    var body = ByteBuffer()
    for line in lines { body.writeString((line.hasPrefix(".") ? "." : "") + line + "\r\n") }
    body.writeString(".\r\n")
    try await outbound.write(body)
    try await expect(250, of: "the message")
    // It is theirs now, whatever comes.
    _ = try? await say("QUIT", expect: 221)
  }

  private mutating func hello(_ from: String) async throws -> Set<String> {
    let reply = try await say("EHLO \(from.split(separator: "@").last ?? "[127.0.0.1]")", expect: 250)
    return Set(
      reply.lines.dropFirst().flatMap { line -> [String] in
        let words = line.uppercased().split(separator: " ").map(String.init)
        return words.first == "AUTH" ? words.dropFirst().map { "AUTH " + $0 } : Array(words.prefix(1))
      })
  }

  private mutating func authenticate(_ user: String, _ password: String, _ offers: Set<String>) async throws {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    if offers.contains("AUTH PLAIN") {
      try await say("AUTH PLAIN " + base64("\0\(user)\0\(password)"), expect: 235, as: "AUTH PLAIN")
    } else if offers.contains("AUTH LOGIN") {
      try await say("AUTH LOGIN", expect: 334)
      try await say(base64(user), expect: 334, as: "the user's name")
      try await say(base64(password), expect: 235, as: "the password")
    } else {
      throw SMTPError.noAuthentication
    }
  }

  @discardableResult
  private mutating func say(_ command: String, expect codes: Int..., as name: String? = nil) async throws -> SMTPReply {
    // Addresses and words of a protocol never hold one; this is the last door.
    guard !command.hasControlCharacters else { throw SMTPError.unreadable("a command would have two lines") }
    try await outbound.write(ByteBuffer(string: command + "\r\n"))
    return try await expect(codes, of: name ?? command)
  }

  @discardableResult
  private mutating func expect(_ codes: Int..., of command: String) async throws -> SMTPReply {
    try await expect(codes, of: command)
  }

  @discardableResult
  private mutating func expect(_ codes: [Int], of command: String) async throws -> SMTPReply {
    let reply = try await reply()
    guard codes.contains(reply.code) else {
      throw SMTPError.refused(command: command, code: reply.code, text: reply.text)
    }
    return reply
  }

  private mutating func reply() async throws -> SMTPReply {
    while true {
      if let reply = try replies.next() { return reply }
      guard let bytes = try await inbound.next() else { throw SMTPError.closed }
      replies.add(bytes)
    }
  }
}
