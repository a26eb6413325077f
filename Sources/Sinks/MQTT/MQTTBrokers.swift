import WebAPI
import WireText

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
    var text: String
    var kind = Kind.other

    init(_ text: String, _ kind: Kind = .other) {
        self.text = text
        self.kind = kind
    }

    init(silentFor time: Duration) { self.init("it has not answered for \(time.text)") }
}

/// Chooses the broker to connect to: which, in which version of MQTT, and after how long.
///
/// Chance picks the first one, so that a fleet spreads over a cluster. If a connection fails or ends, the next
/// broker follows; once each has failed, a wait follows that grows.
struct MQTTBrokers: Sendable {
    /// A broker to connect to.
    struct Choice: Equatable, Sendable {
        var address: MQTTAddress
        var isVersion5: Bool
        /// Whether the broker may know this run of the register from an earlier connection.
        var isReturning: Bool
    }

    /// What to do after a failure.
    struct Step: Equatable, Sendable {
        /// What to report; nil for nothing.
        var trouble: String?
        var wait: Duration
    }

    /// The longest wait before the next broker; by chance, so that a fleet does not arrive there at once.
    static let longestStep = Duration.seconds(1)

    private let settings: MQTTSettings
    private var index: Int
    private var isVersion5: Bool
    private var hasTriedBoth = false
    private var hasWorked = false
    private var failureCount = 0
    private var backoff = Backoff.ofSink
    private var rivalry = MQTTRivalry()
    /// What is wrong with each broker since one last accepted everything.
    private var failures: [MQTTAddress: String] = [:]

    /// `chance` is a random number from 0 up to, not including, 1.
    init(_ settings: MQTTSettings, chance: Double) {
        self.settings = settings
        let count = settings.addresses.count
        index = min(Int(Double(count) * chance), count - 1)
        isVersion5 = settings.version != .v311
    }

    var address: MQTTAddress { settings.addresses[index] }

    /// The broker to connect to now.
    var choice: Choice {
        Choice(address: address, isVersion5: isVersion5, isReturning: hasWorked)
    }

    /// Moves on after a connection failed or ended.
    ///
    /// `lived` is nil if the broker never accepted the connection; `wasBusy` says whether an
    /// acknowledgement was outstanding.
    mutating func failed(
        _ failure: MQTTFailure, lived: Duration?, wasBusy: Bool, chance: Double
    ) -> Step {
        if settings.version == .auto, mayBeVersion(failure) {
            isVersion5.toggle()
            // The first time, the other version is tried at once.
            if !isVersion5, !hasTriedBoth {
                hasTriedBoth = true
                return Step(trouble: nil, wait: .zero)
            }
        }
        let rival = rivalry.ended(
            isTakeover: failure.kind == .takeover, lived: lived, wasBusy: wasBusy,
            client: settings.clientID)
        failures[address] = rival ?? failure.text
        index = (index + 1) % settings.addresses.count
        failureCount += 1
        let isRoundOver = failureCount.isMultiple(of: settings.addresses.count)
        let wait =
            isRoundOver ? backoff.next(asked: nil, chance: chance) : Self.longestStep * chance
        return Step(trouble: trouble, wait: wait)
    }

    private func mayBeVersion(_ failure: MQTTFailure) -> Bool {
        failure.kind == .version || failure.kind == .closedEarly && !hasWorked
    }

    /// Records that a broker accepted the connection.
    mutating func connected() { hasWorked = true }

    /// Records that a broker accepted a message: the next failure counts as the first.
    mutating func progressed() {
        guard !rivalry.isThere else { return }
        failureCount = 0
        backoff.reset()
    }

    /// Records that a broker accepted everything.
    mutating func well() {
        failures = [:]
        progressed()
    }

    /// All that is wrong, in the order of the settings, so that the words stay the same in each round.
    private var trouble: String {
        settings.addresses.compactMap { address in
            failures[address].map { "\(address): \($0)" }
        }.joined(separator: "; ")
    }
}

/// Notices that another client connects with the same identifier, so that each pushes the other out.
///
/// A broker ends a connection when another client connects with its identifier (MQTT 5.0, section 3.1.4; MQTT
/// 3.1.1, section 3.1.4). Version 5 has a reason code for that. With 3.1.1 the evidence is that connections end
/// soon, one after the other, with nothing outstanding that could be the reason.
private struct MQTTRivalry: Sendable {
    /// A connection that ends sooner is evidence.
    static let soon = Duration.seconds(10)
    /// How many connections in a row must end soon.
    static let fewest = 3
    /// A connection that lives this long has no rival any more: longer than two rivals wait for each other.
    static let calm = Backoff.ofSink.longest * 2

    /// Whether there seems to be a rival; then waits keep growing, or the two would change places each second.
    private(set) var isThere = false
    private var soonEnds = 0

    /// Records the end of a connection; returns what to report, or nil if nothing shows a rival.
    mutating func ended(isTakeover: Bool, lived: Duration?, wasBusy: Bool, client: String)
        -> String?
    {
        let name = client.quoted(upTo: .max)
        if isTakeover {
            isThere = true
            return "another client has connected as \(name) and taken this one's place "
                + "(session taken over, 0x8E); \(Self.remedy)"
        }
        guard let lived else { return nil }
        if lived >= Self.calm { isThere = false }
        guard !wasBusy, lived < (isThere ? Self.calm : Self.soon) else {
            soonEnds = 0
            return nil
        }
        soonEnds += 1
        guard soonEnds >= Self.fewest else { return nil }
        isThere = true
        return "it ends each connection soon and without a reason, as a broker does if another "
            + "client connects as \(name); \(Self.remedy)"
    }

    private static let remedy = "no two may have the same host name or client_id"
}
