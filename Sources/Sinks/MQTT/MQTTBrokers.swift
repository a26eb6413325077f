import CMosquitto
import Glibc
import WebAPI
import WireText

/// Chooses the next broker to connect to, the version of MQTT, and the wait before the attempt.
///
/// The first broker is random, so that a fleet spreads over a cluster. If a connection fails or ends, the next broker
/// follows; after all have failed, each round begins with a growing wait.
struct MQTTBrokers: Sendable {
    struct Choice: Equatable, Sendable {
        var address: MQTTAddress
        var isVersion5: Bool
        /// Whether the broker may know this run of the register from an earlier connection.
        var isReturning: Bool
    }

    /// The longest wait before the next broker of a round.
    private static let longestStep = Duration.seconds(1)

    private let settings: MQTTSettings
    private var index: Int
    private var isVersion5: Bool
    private var hasTriedBoth = false
    private var hasWorked = false
    private var failureCount = 0
    private var backoff = Backoff.ofSink
    /// Whether waits keep growing; otherwise two rivals would displace each other every second.
    private var hasRival = false
    private var soonEnds = 0
    /// The fault of each broker since one last accepted everything.
    private var failures: [MQTTAddress: String] = [:]

    /// `chance` is a random number in `0..<1`.
    init(_ settings: MQTTSettings, chance: Double) {
        self.settings = settings
        index = Int(Double(settings.addresses.count) * chance)
        isVersion5 = settings.version != .v311
    }

    var address: MQTTAddress { settings.addresses[index] }

    var choice: Choice {
        Choice(address: address, isVersion5: isVersion5, isReturning: hasWorked)
    }

    /// Moves on after a connection failed or ended; returns what to report, and how long to wait.
    ///
    /// `lived` is nil if the broker never accepted the connection; `wasBusy` says whether an
    /// acknowledgement was outstanding.
    mutating func failed(
        _ failure: MQTTFailure, lived: Duration?, wasBusy: Bool, chance: Double
    ) -> (trouble: String?, wait: Duration) {
        let mayBeVersion =
            failure.kind == .version || failure.kind == .closedEarly && !hasWorked
        if settings.version == .auto, mayBeVersion {
            isVersion5.toggle()
            // The first time, the other version is tried at once.
            if !isVersion5, !hasTriedBoth {
                hasTriedBoth = true
                return (nil, .zero)
            }
        }
        failures[address] = rival(after: failure, lived, wasBusy) ?? failure.text
        index = (index + 1) % settings.addresses.count
        failureCount += 1
        let isRoundOver = failureCount.isMultiple(of: settings.addresses.count)
        let wait = isRoundOver ? backoff.next(chance: chance) : Self.longestStep * chance
        return (trouble, wait)
    }

    /// Records that a broker accepted the connection.
    mutating func connected() { hasWorked = true }

    /// Records that a broker accepted a message: the next failure counts as the first.
    mutating func progressed() {
        guard !hasRival else { return }
        failureCount = 0
        backoff.reset()
    }

    /// Records that a broker accepted everything.
    mutating func well() {
        failures = [:]
        progressed()
    }

    /// All faults, in the order of the settings, so that the text stays the same in each round.
    private var trouble: String {
        settings.addresses.compactMap { address in
            failures[address].map { "\(address): \($0)" }
        }.joined(separator: "; ")
    }
}

/// Detects another client with the same identifier: each of the two displaces the other.
///
/// Rule: MQTT 5.0 and 3.1.1, section 3.1.4. Version 5 has a reason code for it. With 3.1.1 the evidence is that
/// three connections in a row end soon, with nothing outstanding that could be the reason.
extension MQTTBrokers {
    /// A connection that ends sooner than this suggests a rival.
    private static let soon = Duration.seconds(10)
    /// A connection that lives longer than a rival would ever wait shows that there is no rival any more.
    private static let calm = Backoff.ofSink.longest * 2

    /// Returns what the end of a connection shows about a rival, or nil.
    private mutating func rival(
        after failure: MQTTFailure, _ lived: Duration?, _ wasBusy: Bool
    ) -> String? {
        let name = settings.clientID.quoted(upTo: .max)
        let remedy = "no two may have the same register name or client_id"
        if failure.kind == .takeover {
            hasRival = true
            return "another client has connected as \(name) and taken this one's place "
                + "(session taken over, 0x8E); \(remedy)"
        }
        guard let lived else { return nil }
        if lived >= Self.calm { hasRival = false }
        let isEvidence = !wasBusy && lived < (hasRival ? Self.calm : Self.soon)
        soonEnds = isEvidence ? soonEnds + 1 : 0
        guard soonEnds >= 3 else { return nil }
        hasRival = true
        return "it ends each connection soon and without a reason, as a broker does if another "
            + "client connects as \(name); \(remedy)"
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
        /// The broker does not know the user, expects another password, or grants the user no permissions.
        case credentials
    }

    /// A description, for the end of a sentence.
    let text: String
    var kind = Kind.other

    /// The broker ended the connection, and did not say why.
    static let ended = MQTTFailure(text: "it ended the connection")

    static func silent(for time: Duration) -> MQTTFailure {
        MQTTFailure(text: "it has not answered for \(time.text)")
    }

    /// The broker ended the connection with a reason code.
    static func ended(_ reason: Int32) -> MQTTFailure {
        let reason = MQTTReason(reason)
        let kind: Kind =
            reason == .sessionTakenOver ? .takeover : reason.isAboutMessage ? .message : .other
        return MQTTFailure(text: "\(ended.text): \(reason.words)", kind: kind)
    }

    /// The broker refused the connection.
    static func refused(_ reason: Int32, isVersion5: Bool) -> MQTTFailure {
        // Brokers of version 3 answer in their own numbers even to version 5.
        let isOld = !isVersion5 || reason < 0x80
        let words = MQTTReason(reason).words(
            isOld ? mosquitto_connack_string : mosquitto_reason_string)
        let isVersion = reason == (isOld ? 1 : MQTTReason.unsupportedVersion.code)
        // MQTT 3.1.1, section 3.2.2.3, and MQTT 5.0, section 3.2.2.2.
        let isAboutUser = (isOld ? 4...5 : 0x86...0x87).contains(reason)
        return MQTTFailure(
            text: "it refuses the connection: \(words)",
            kind: isVersion ? .version : isAboutUser ? .credentials : .other)
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
            default: MQTTReason.sentence(mosquitto_strerror(code))
            }
        return MQTTFailure(text: detail.map { "\(words) (\(Escaping.line.escaped($0)))" } ?? words)
    }
}
