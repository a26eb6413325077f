package import Events

/// What the interface is told of the daemon, beside its events and its journal.
///
/// What changes is asked for each time that somebody wants to know.
package struct StatusParts: Sendable {
    /// The name of this register.
    package var register: String
    /// The version of keywedge.
    package var version: String
    /// When the daemon started.
    package var started: EventTime
    /// The scanners that are to be there, by name.
    package var scanners: @Sendable () -> [String]
    /// Every reason for which keys are no scan.
    package var rejectionReasons: [String]
    /// Every way a lookup can end.
    package var lookupStatuses: [String]
    /// How the catalog's sources are doing, in their order; it waits for no disk on the thread that asks.
    package var sources: @Sendable () async -> [SourceStatus]
    /// How the sinks are doing, in their order.
    package var sinks: @Sendable () -> [SinkStatus]

    /// Makes parts.
    ///
    /// - Parameters:
    ///   - register: The name of this register.
    ///   - version: The version of keywedge.
    ///   - started: When the daemon started.
    ///   - scanners: The scanners that are to be there.
    ///   - rejectionReasons: Every reason for which keys are no scan.
    ///   - lookupStatuses: Every way a lookup can end.
    ///   - sources: How the catalog's sources are doing.
    ///   - sinks: How the sinks are doing.
    package init(
        register: String, version: String, started: EventTime,
        scanners: @escaping @Sendable () -> [String] = { [] },
        rejectionReasons: [String] = [], lookupStatuses: [String] = [],
        sources: @escaping @Sendable () async -> [SourceStatus] = { [] },
        sinks: @escaping @Sendable () -> [SinkStatus] = { [] }
    ) {
        self.register = register
        self.version = version
        self.started = started
        self.scanners = scanners
        self.rejectionReasons = rejectionReasons
        self.lookupStatuses = lookupStatuses
        self.sources = sources
        self.sinks = sinks
    }
}

/// How a source of products is doing.
package struct SourceStatus: Equatable, Sendable {
    /// Where products are.
    package enum Kind: String, Sendable {
        /// In a file on the box.
        case embedded
        /// In a service over HTTP.
        case http
    }

    /// The name in events and messages.
    package var name: String
    /// Where its products are.
    package var kind: Kind
    /// `ready`, or in a word why it answers nothing at the moment.
    package var state: String
    /// What is wrong, in words; nil where the state says it all.
    package var trouble: String?
    /// After how long it is asked again; nil where it is asked now.
    package var retryAfter: Duration?
    /// How many products it has; nil where nobody knows.
    package var products: Int?
    /// When it last changed; nil where nobody knows.
    package var changed: EventTime?
    /// The feed that it follows; nil if it follows none.
    package var feed: Feed?

    /// The feed that a catalog follows, as the follower left word.
    package struct Feed: Equatable, Sendable {
        /// Where it is.
        package let source: String
        /// When it was read last.
        package let checked: EventTime
        /// Until when it should be published anew; after that prices may be old.
        package let expires: EventTime
        /// Why it could not be followed since; nil if it could.
        package let trouble: String?

        /// Makes the description of a feed.
        package init(source: String, checked: EventTime, expires: EventTime, trouble: String?) {
            (self.source, self.checked) = (source, checked)
            (self.expires, self.trouble) = (expires, trouble)
        }
    }

    /// Makes a status.
    ///
    /// - Parameters:
    ///   - name: The name in events and messages.
    ///   - kind: Where its products are.
    ///   - state: `ready`, or in a word why it answers nothing.
    ///   - trouble: What is wrong, in words.
    ///   - retryAfter: After how long it is asked again.
    package init(
        name: String, kind: Kind, state: String = SourceStatus.ready, trouble: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.name = name
        self.kind = kind
        self.state = state
        self.trouble = trouble
        self.retryAfter = retryAfter
    }

    /// The state of one that answers.
    package static let ready = "ready"
}

/// How a sink is doing, in a word.
enum SinkState: String {
    case ok
    /// Something keeps its events back.
    case trouble
    /// It refused events for good, which wait for someone to send or drop them.
    case refused
}

/// How a sink is doing, beside how far it got in the journal.
package struct SinkStatus: Equatable, Sendable {
    /// Something that went wrong.
    package struct Failure: Equatable, Sendable {
        /// What, in words.
        package let message: String
        /// When it was first said.
        package let time: EventTime

        /// Makes a failure.
        ///
        /// - Parameters:
        ///   - message: What went wrong, in words.
        ///   - time: When.
        package init(message: String, time: EventTime) {
            self.message = message
            self.time = time
        }
    }

    /// The sink's name.
    package var name: String
    /// Whether it reads the journal at its own pace.
    package var isDurable: Bool
    /// What keeps events back at the moment.
    package var trouble: Failure?
    /// What went wrong last, be it over or not.
    package var lastError: Failure?

    /// Makes a status.
    ///
    /// - Parameters:
    ///   - name: The sink's name.
    ///   - isDurable: Whether it reads the journal at its own pace.
    package init(name: String, isDurable: Bool) {
        self.name = name
        self.isDurable = isDurable
    }
}
