import CMosquitto
import Glibc
import WireText

/// The meaning of an acknowledgement for its message.
enum MQTTAnswer: Equatable, Sendable {
    case accepted
    /// Accepted, but nobody has subscribed to its topic.
    case unsubscribed
    /// Refused because of the message itself: why.
    case refused(String)
    /// Refused for another cause, which may pass: why.
    case notNow(String)

    init(_ reason: Int32) {
        switch reason {
        case Reason.noMatchingSubscribers: self = .unsubscribed
        case ..<0x80: self = .accepted
        case _ where Reason.aboutMessage.contains(reason): self = .refused(Reason.words(reason))
        default: self = .notNow(Reason.words(reason))
        }
    }

    /// Why the message is refused; nil if it is accepted.
    var refusal: String? {
        switch self {
        case .accepted, .unsubscribed: nil
        case .refused(let reason), .notNow(let reason): reason
        }
    }
}

/// Why there is no connection to a broker.
struct MQTTFailure: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case other
        /// The broker does not speak this version of MQTT.
        case version
        /// The broker closed the connection before it answered; it may not speak this version.
        case closedEarly
        /// Another client took this one's place.
        case takeover
        /// The broker rejects a message because of the message itself.
        case message
    }

    /// In words, for the end of a sentence.
    let text: String
    var kind = Kind.other

    /// The broker ended the connection, and did not say why.
    static let ended = MQTTFailure(text: "it ended the connection")

    static func silent(for time: Duration) -> MQTTFailure {
        MQTTFailure(text: "it has not answered for \(time.text)")
    }

    /// The broker ended the connection with a reason code.
    static func ended(_ reason: Int32) -> MQTTFailure {
        let kind: Kind =
            switch reason {
            case Reason.sessionTakenOver: .takeover
            case _ where Reason.aboutMessage.contains(reason): .message
            default: .other
            }
        return MQTTFailure(text: "\(ended.text): \(Reason.words(reason))", kind: kind)
    }

    /// The broker refused the connection.
    static func refused(_ reason: Int32, isVersion5: Bool) -> MQTTFailure {
        // Brokers of version 3 answer in their own numbers even to version 5.
        let isOld = !isVersion5 || reason < 0x80
        let words = Reason.words(reason, of: isOld ? mosquitto_connack_string(reason) : nil)
        let isVersion = reason == (isOld ? 1 : Reason.unsupportedVersion)
        return MQTTFailure(
            text: "it refuses the connection: \(words)", kind: isVersion ? .version : .other)
    }

    /// A function of libmosquitto failed; `detail` is what the library logged about it.
    static func library(_ code: Int32, errno: Int32, detail: String?) -> MQTTFailure {
        let words =
            switch (code, errno) {
            case (MOSQ_ERR_CONN_LOST.rawValue, _), (MOSQ_ERR_ERRNO.rawValue, EPIPE): ended.text
            case (MOSQ_ERR_ERRNO.rawValue, EPROTO):
                "it broke off TLS, as one does that wants a certificate from us"
            case (MOSQ_ERR_ERRNO.rawValue, _):
                SystemCallError(operation: "connect", errno: errno).text
            case (MOSQ_ERR_EAI.rawValue, _): String(cString: gai_strerror(errno))
            default: Reason.sentence(mosquitto_strerror(code))
            }
        return MQTTFailure(
            text: detail.map { "\(words) (\(Escaping.line.escaped($0)))" } ?? words)
    }
}

/// Reason codes: MQTT 5.0, section 2.4.
private enum Reason {
    /// Topic name invalid, packet too large, payload format invalid: true of the message for ever.
    ///
    /// All others are about the client, its rights or the broker's state, which may change.
    static let aboutMessage: Set<Int32> = [0x90, 0x95, 0x99]
    static let noMatchingSubscribers: Int32 = 0x10
    static let sessionTakenOver: Int32 = 0x8E
    static let unsupportedVersion: Int32 = 0x84

    /// A reason in words: `not authorized (0x87)`.
    static func words(_ reason: Int32, of text: UnsafePointer<CChar>? = nil) -> String {
        let digits = String(reason, radix: 16, uppercase: true)
        let words = sentence(text ?? mosquitto_reason_string(reason)).lowercased()
        return "\(words) (0x\(digits.count < 2 ? "0" : "")\(digits))"
    }

    /// A text of libmosquitto without its full stop and its first words, which say nothing.
    static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        var words = text.map { String(cString: $0) } ?? "unknown error"
        if words.hasSuffix(".") { words.removeLast() }
        for prefix in ["Connection Refused: ", "Connection error: "] where words.hasPrefix(prefix) {
            words.removeFirst(prefix.count)
        }
        return words
    }
}
