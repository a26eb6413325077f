import CMosquitto
import Glibc
import WireText

/// Why there is no connection to a broker.
struct MQTTFailure: Error, Equatable, Sendable {
    /// In words, for the end of a sentence.
    var text: String
    /// Whether the broker may just not know this version of the protocol.
    var mayBeVersion = false
    /// Whether another client took this one's place.
    var isTakeover = false

    /// What a function of libmosquitto returned.
    ///
    /// - Parameters:
    ///   - code: What it returned.
    ///   - errno: The number of the system's error after it.
    ///   - detail: What libmosquitto said itself, in more words; nil for nothing.
    init(code: Int32, errno: Int32, detail: String?) {
        let words: String
        switch code {
        case MOSQ_ERR_CONN_LOST.rawValue: words = Self.ended.text
        case MOSQ_ERR_ERRNO.rawValue where errno == EPIPE: words = Self.ended.text
        case MOSQ_ERR_ERRNO.rawValue where errno == EPROTO:
            words = "it broke off TLS, as one does that wants a certificate from us"
        case MOSQ_ERR_ERRNO.rawValue:
            words = SystemCallError(operation: "connect", errno: errno).text
        case MOSQ_ERR_EAI.rawValue: words = String(cString: gai_strerror(errno))
        default: words = Self.sentence(mosquitto_strerror(code))
        }
        text = detail.map { "\(words) (\(Escaping.line.escaped($0)))" } ?? words
    }

    /// Words of ours.
    init(_ text: String, mayBeVersion: Bool = false) {
        self.text = text
        self.mayBeVersion = mayBeVersion
    }

    /// The broker ended the connection, and did not say why.
    static let ended = MQTTFailure("it ended the connection")

    /// What the broker answered.
    static func refused(reason: Int32, isVersion5: Bool) -> MQTTFailure {
        // Brokers of version 3 answer in their own numbers even where they were asked in version 5.
        let isOld = !isVersion5 || reason < 0x80
        let words = sentence(
            isOld ? mosquitto_connack_string(reason) : mosquitto_reason_string(reason))
        let isVersion =
            isOld ? reason == 1 : reason == Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)
        return MQTTFailure(
            "it refuses the connection: \(words.lowercased()) (\(MQTTReason.number(reason)))",
            mayBeVersion: isVersion)
    }

    /// A text of libmosquitto without its full stop and, in front, without what is plain.
    private static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        var words = text.map { String(cString: $0) } ?? "unknown error"
        if words.hasSuffix(".") { words.removeLast() }
        for prefix in ["Connection Refused: ", "Connection error: "] where words.hasPrefix(prefix) {
            words.removeFirst(prefix.count)
        }
        return words
    }
}
