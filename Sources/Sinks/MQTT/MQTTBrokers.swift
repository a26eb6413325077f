import CMosquitto
import Glibc
import WebAPI
import WireText

/// A strategy that chooses the next broker, the MQTT version, and the wait before the attempt to connect.
///
/// The first broker is chosen at random, to spread many registers over a cluster. After a failure, the next broker is
/// tried within a second. Each time all brokers have failed, the wait grows.
struct MQTTBrokers: Sendable {
    struct Choice: Equatable, Sendable {
        var address: MQTTAddress
        var isVersion5: Bool
        /// Whether the sink was connected earlier in this run.
        var isReturning: Bool
    }

    /// The longest wait before trying the next broker, unless all brokers have just failed.
    private static let longestStep = Duration.seconds(1)

    private let settings: MQTTSettings
    private var index: Int
    private var isVersion5: Bool
    private var hasTriedBoth = false
    private var hasWorked = false
    private var failureCount = 0
    private var backoff = Backoff.ofSink
    /// Whether another client with the same identifier keeps displacing this one.
    ///
    /// If so, the waits between attempts keep growing, to keep both clients from reconnecting every second.
    private var hasRival = false
    private var soonEnds = 0
    /// The latest failure of each broker; cleared when a broker has accepted all waiting messages.
    private var failures: [MQTTAddress: String] = [:]

    /// Chooses the first broker at random; `chance` is a random number in `0..<1`.
    init(_ settings: MQTTSettings, chance: Double) {
        self.settings = settings
        index = Int(Double(settings.addresses.count) * chance)
        isVersion5 = settings.version != .v311
    }

    var address: MQTTAddress { settings.addresses[index] }

    var choice: Choice {
        Choice(address: address, isVersion5: isVersion5, isReturning: hasWorked)
    }

    /// Plans the next attempt after a connection has failed or ended; returns the wait, and any trouble to report.
    ///
    /// `lived` is the time since the broker accepted the connection, or nil if it never did. `wasBusy` is true if an
    /// acknowledgement was outstanding.
    mutating func failed(
        _ failure: MQTTFailure, lived: Duration?, wasBusy: Bool, chance: Double
    ) -> (trouble: String?, wait: Duration) {
        let mayBeVersion =
            failure.kind == .version || failure.kind == .closedEarly && !hasWorked
        if settings.version == .auto, mayBeVersion {
            isVersion5.toggle()
            // Try 3.1.1 immediately, but only the first time.
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

    mutating func connected() { hasWorked = true }

    /// Resets the waits before reconnecting, unless a client with the same identifier interferes.
    mutating func progressed() {
        guard !hasRival else { return }
        failureCount = 0
        backoff.reset()
    }

    /// Records that a broker has accepted all waiting messages, and clears the failures.
    mutating func well() {
        failures = [:]
        progressed()
    }

    /// The latest failures of all brokers, in the order of the settings.
    private var trouble: String {
        settings.addresses.compactMap { address in
            failures[address].map { "\(address): \($0)" }
        }.joined(separator: "; ")
    }
}

/// Detection of a rival: another client with the same identifier, which displaces this one again and again.
///
/// MQTT 5 brokers report a rival with a reason code. Without one, three short connections in a row suggest a rival, if
/// no acknowledgement was outstanding when they ended. Rule: MQTT 5.0 and 3.1.1, section 3.1.4.
extension MQTTBrokers {
    /// How short a connection must be to suggest that another client displaced this one.
    private static let soon = Duration.seconds(10)
    /// How long a connection must last to show that no other client displaces this one.
    private static let calm = Backoff.ofSink.longest * 2

    /// Returns a message if another client probably displaced this one; otherwise nil.
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

struct MQTTFailure: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case other
        /// The broker does not support the MQTT version.
        case version
        /// The broker closed the connection without an answer, perhaps because of the MQTT version.
        case closedEarly
        case takeover
        /// The broker ended the connection because of a message that it will never accept.
        case message
        /// The broker refuses the user name or the password, or grants the user no permissions.
        case credentials
    }

    /// The failure as a clause in which "it" means the broker, such as `it ended the connection`.
    let text: String
    var kind = Kind.other
    static let ended = MQTTFailure(text: "it ended the connection")

    static func silent(for time: Duration) -> MQTTFailure {
        MQTTFailure(text: "it has not answered for \(time.text)")
    }

    static func ended(_ reason: Int32) -> MQTTFailure {
        let reason = MQTTReason(reason)
        let kind: Kind =
            reason == .sessionTakenOver ? .takeover : reason.isAboutMessage ? .message : .other
        return MQTTFailure(text: "\(ended.text): \(reason.words)", kind: kind)
    }

    static func refused(_ reason: Int32, isVersion5: Bool) -> MQTTFailure {
        // Brokers that support only MQTT 3 answer with their own codes, even to MQTT 5.
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

    /// Returns the failure of a libmosquitto function; `detail` is the error that the library logged.
    static func library(_ code: Int32, errno: Int32, detail: String?) -> MQTTFailure {
        let words =
            switch (code, errno) {
            case (MOSQ_ERR_CONN_LOST.rawValue, _), (MOSQ_ERR_ERRNO.rawValue, EPIPE): ended.text
            case (MOSQ_ERR_ERRNO.rawValue, EPROTO):
                "it ended TLS, as a broker does that requires a client certificate"
            case (MOSQ_ERR_ERRNO.rawValue, _):
                SystemCallError(operation: "connect", errno: errno).text
            case (MOSQ_ERR_EAI.rawValue, _): String(cString: gai_strerror(errno))
            default: MQTTReason.sentence(mosquitto_strerror(code))
            }
        return MQTTFailure(text: detail.map { "\(words) (\(Escaping.line.escaped($0)))" } ?? words)
    }
}
