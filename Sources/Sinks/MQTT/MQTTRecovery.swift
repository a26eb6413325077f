/// What follows when a connection failed or ended: which broker is tried next, in which version, after how
/// long, and what is said of it.
struct MQTTRecovery: Sendable {
    /// What to do.
    struct Step: Equatable, Sendable {
        /// What is said; nil for nothing.
        var trouble: String?
        /// How long to wait.
        var wait: Duration
    }

    /// Whether version 5 is spoken.
    private(set) var isVersion5: Bool
    /// Whether a broker has taken a connection, and so knows this run of the register; what ends early from
    /// then on is not about the version.
    private(set) var hasWorked = false
    private let settings: MQTTSettings
    private var hasTriedBoth = false
    private var turn: MQTTTurn
    private var rivalry = MQTTRivalry()
    /// What is wrong with each broker, since one was well.
    private var failures: [MQTTAddress: String] = [:]

    /// Begins.
    ///
    /// - Parameters:
    ///   - settings: Which brokers there are.
    ///   - chance: A random number of at least 0 and below 1.
    init(_ settings: MQTTSettings, chance: Double) {
        self.settings = settings
        turn = MQTTTurn(count: settings.addresses.count, chance: chance)
        isVersion5 = settings.version != .v311
    }

    /// The broker whose turn it is.
    var address: MQTTAddress { settings.addresses[turn.index] }

    /// A connection failed or ended.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - lived: How long it was there; nil where the broker never took it.
    ///   - wasBusy: Whether an acknowledgement was waited for.
    ///   - chance: A random number of at least 0 and below 1.
    /// - Returns: What to do.
    mutating func failed(
        _ failure: MQTTFailure, lived: Duration?, wasBusy: Bool, chance: Double
    ) -> Step {
        if failure.mayBeVersion, settings.version == .auto {
            isVersion5.toggle()
            // The first time the other version is tried at once.
            if !isVersion5, !hasTriedBoth {
                hasTriedBoth = true
                return Step(trouble: nil, wait: .zero)
            }
        }
        let end = MQTTRivalry.End(isTakeover: failure.isTakeover, lived: lived, wasBusy: wasBusy)
        failures[address] = rivalry.noted(end, client: settings.clientID) ?? failure.text
        let wait = turn.failed(chance: chance)
        return Step(trouble: trouble, wait: wait)
    }

    /// A broker has taken the connection.
    mutating func connected() { hasWorked = true }

    /// A broker has taken something.
    mutating func progressed() {
        if !rivalry.isThere { turn.reset() }
    }

    /// A broker has taken what was waiting.
    mutating func well() {
        failures = [:]
        progressed()
    }

    /// All that is wrong, in the order of the brokers: the same words however often they are tried in turn.
    private var trouble: String {
        settings.addresses.compactMap { address in
            failures[address].map { "\(address): \($0)" }
        }.joined(separator: "; ")
    }
}
