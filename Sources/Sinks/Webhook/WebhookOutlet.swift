import Crypto
import Foundation
import HTTPTypes
package import Journal
package import WebAPI
import WireText

/// An outlet that sends events to a web server, one signed request at a time.
///
/// Rule: Standard Webhooks 1.0.0.
package struct WebhookOutlet: DurableOutlet {
    private let location: Location
    private let client: APIClient
    private let secrets: @Sendable () throws -> [WebhookSecret]
    private let limit: Duration
    private let now: @Sendable () -> HTTPDate

    /// Creates an outlet that signs each request with every key from `secrets`, so that keys can be rotated.
    ///
    /// `limit` is how long the server may take per event.
    package init(
        to location: Location, over transport: any Transport,
        secrets: @escaping @Sendable () throws -> [WebhookSecret], limit: Duration,
        now: @escaping @Sendable () -> HTTPDate = { .now }
    ) {
        self.location = location
        client = APIClient(transport: transport, redirects: .refuse)
        self.secrets = secrets
        self.limit = limit
        self.now = now
    }

    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        await take(entries, at: "\(location.address.origin)", settled: settled, send)
    }

    private func send(_ entry: JournalEntry) async -> OutletAnswer {
        let time = now()
        let request: Request
        do {
            request = try self.request(for: entry, at: time)
        } catch let error as HeaderFieldError {
            return .settled(.refused("\(error)"))
        } catch {
            return .later("\(error)")
        }
        let call = Call(
            request, named: "webhook", accepting: .any,
            parser: Parser { OutletAnswer($0, now: time) })
        switch await client.result(of: call, within: limit) {
        case .success(let answer): return answer
        case .failure(let error):
            // Use the status, even if the rest of the response breaks off or never ends.
            let partial = error.connectionError?.partial
            return partial.map { OutletAnswer($0, now: time) } ?? .later("\(error.reason)")
        }
    }

    private func request(for entry: JournalEntry, at time: HTTPDate) throws -> Request {
        let timestamp = time.secondsSince1970
        let signatures = try secrets().map {
            $0.signature(id: entry.id, timestamp: timestamp, body: entry.line)
        }
        var request = Request(
            location, .post(Payload(entry.line, contentType: "application/cloudevents+json")))
        for (name, value) in [
            ("webhook-id", entry.id), ("webhook-timestamp", String(timestamp)),
            ("webhook-signature", signatures.joined(separator: " ")),
        ] {
            request.headers.append(try HeaderField.make(name, value))
        }
        return request
    }
}

extension OutletAnswer {
    /// The statuses with which a server refuses an event for good, because it cannot accept the event's content.
    ///
    /// Any other error status may be temporary, or caused by a wrong secret or address. A 400 may be temporary, too, if
    /// the clocks differ, because receivers refuse timestamps that are too old or too new.
    private static let refusals: Set<Int> = [400, 413, 415, 422]
    /// The clock difference beyond which a status of 400 may be caused by the timestamp.
    ///
    /// The reference libraries of Standard Webhooks allow 5 minutes; this is one minute less.
    private static let allowedSkew: Duration = .seconds(240)

    init(_ response: Response, now: HTTPDate) {
        // Leave out the server's own text: it may differ each time, and each new text would be reported.
        let code = response.status.code
        let answer = "it answered with status \(code)"
        switch code {
        case 200..<300: self = .settled(.taken)
        case 400 where Self.skew(response, now) > Self.allowedSkew:
            self = .later("\(answer), and its clock differs from this box's")
        case _ where Self.refusals.contains(code): self = .settled(.refused(answer))
        case 300..<400: self = .later("\(answer), a redirect; expected the final address")
        default: self = .later(answer, after: RetryAfter(response.headers)?.wait(now: now))
        }
    }

    private static func skew(_ response: Response, _ now: HTTPDate) -> Duration {
        guard let date = response.headers[.date].flatMap({ HTTPDate($0) }) else { return .zero }
        return max(date.since(now), now.since(date))
    }
}

/// A key that signs a webhook's requests.
///
/// Rule: Standard Webhooks 1.0.0, "Signature scheme".
package struct WebhookSecret: Sendable {
    private enum Key: Sendable {
        /// A secret shared with the receiver, for `v1` signatures.
        case shared(SymmetricKey)
        /// A private key, for `v1a` signatures; the receiver has the public key.
        case own(Curve25519.Signing.PrivateKey)
    }

    private let key: Key

    /// Reads a secret, which starts with `whsec_` or `whsk_`.
    ///
    /// The rest is Base64. For `whsec_`, it encodes 24 to 64 bytes; for `whsk_`, an Ed25519 private key of 32 bytes,
    /// optionally followed by its public key of 32 bytes.
    package init(_ text: String) throws(WebhookSecretError) {
        if let bytes = Self.bytes(text, after: "whsec_") {
            guard (24...64).contains(bytes.count) else { throw .wrongLength(bytes.count) }
            key = .shared(SymmetricKey(data: bytes))
        } else if let bytes = Self.bytes(text, after: "whsk_") {
            guard bytes.count == 32 || bytes.count == 64,
                let own = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.prefix(32))
            else { throw .wrongKeyLength(bytes.count) }
            guard bytes.count == 32 || own.publicKey.rawRepresentation == bytes.suffix(32) else {
                throw .otherPublicKey
            }
            key = .own(own)
        } else {
            throw .noSecret
        }
    }

    private static func bytes(_ text: String, after prefix: String) -> Data? {
        guard text.hasPrefix(prefix) else { return nil }
        return Data(base64Encoded: String(text.dropFirst(prefix.count)))
    }

    /// Returns a request's signature for the header `webhook-signature`: `v1,…` or `v1a,…`.
    ///
    /// `timestamp` is when the request is sent, in seconds since 1970.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        let content = Data("\(id).\(timestamp).".utf8) + Data(body)
        switch key {
        case .shared(let key):
            let code = HMAC<SHA256>.authenticationCode(for: content, using: key)
            return "v1," + Data(code).base64EncodedString()
        case .own(let key):
            // Signing fails only with an invalid key, and this one was checked when it was read.
            let signature = (try? key.signature(for: content)) ?? Data()
            return "v1a," + signature.base64EncodedString()
        }
    }
}

package enum WebhookSecretError: Error, Equatable, Sendable, CustomStringConvertible {
    case noSecret
    case wrongLength(Int)
    case wrongKeyLength(Int)
    case otherPublicKey

    /// The error message, which says what was expected and what was found, but never quotes the secret.
    package var description: String {
        switch self {
        case .noSecret:
            "expected whsec_ and a secret in Base64, or whsk_ and an Ed25519 key in Base64, "
                + "found something else"
        case .wrongLength(let count): "expected a secret of 24 to 64 bytes, found \(count)"
        case .wrongKeyLength(let count): "expected an Ed25519 key of 32 or 64 bytes, found \(count)"
        case .otherPublicKey: "expected an Ed25519 key with its own public key, found another"
        }
    }
}
