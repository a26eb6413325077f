/// Decides what an MQTT sink does next; knows no sockets, threads or clocks.
///
/// The caller asks ``next(at:)``, performs the action, and reports what happens to ``receive(_:at:)``.
struct MQTTSession: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Action: Equatable, Sendable {
        case connect(MQTTBrokers.Choice)
        /// Forget the connection or the attempt, whatever it is doing.
        case drop
        case publish(MQTTMessage)
        case ping
        /// Tell the broker that the connection ends in order.
        case disconnect
        /// An event of the delivery is settled.
        case settle(Int, Verdict)
        /// The delivery has ended.
        case finish(TakeOutcome)
        case report(SinkStatusReporter.Notice)
        /// Wait until then, or until there is something to report.
        case wait(until: Instant)
        case stop
    }

    enum Notice: Equatable, Sendable {
        /// The connection is open, but the broker has not accepted it.
        case opened
        /// The broker accepted the connection; its limit for unacknowledged messages.
        case accepted(receiveMaximum: Int)
        /// The message of the last action is on its way.
        case published(id: Int32)
        /// The message of the last action cannot be sent to this broker at all: why.
        case refused(String)
        case acknowledged(id: Int32, MQTTReason)
        /// The attempt or the connection failed, or the broker ended it.
        case failed(MQTTFailure)
    }

    /// How long to wait for a connection to open; a resolver whose first name server is away needs 5 s.
    static let openLimit = Duration.seconds(10)
    /// How long a broker may take to accept a connection, and to acknowledge a message.
    static let answerLimit = Duration.seconds(30)
    /// How long a stop waits for acknowledgements of events, and again for that of the last message.
    static let endLimit = Duration.seconds(1)

    private enum State {
        case resting(until: Instant)
        case opening(until: Instant)
        case open(until: Instant)
        case connected(Link)
        case stopped
    }

    /// A connection that a broker accepted.
    private struct Link {
        let since: Instant
        let receiveMaximum: Int
        /// The register's own messages that are sent before the next event.
        var announcements: [MQTTMessage]
        /// The numbers of those that are not acknowledged.
        var announced: Set<Int32> = []
        var nextPresence: Instant
        var lastSent: Instant
        /// When the broker must have acknowledged something.
        var answerDue: Instant?
        /// Whether the broker has accepted everything that waited.
        var isWell = false
        /// When to leave even if the last message is not acknowledged.
        var leaveBy: Instant?

        /// When to ping unless something is sent before.
        var pingDue: Instant { lastSent + MQTTSettings.keepAlive + .seconds(1) }

        func isOverdue(at now: Instant) -> Bool {
            leaveBy == nil && answerDue.map { $0 <= now } ?? false
        }
    }

    private let settings: MQTTSettings
    private let messages: MQTTMessages
    private let chance: @Sendable () -> Double
    private var brokers: MQTTBrokers
    private var state: State
    private var delivery: MQTTDelivery?
    /// Whether the last delivery ended with an event that the broker does not accept now.
    private var isHeld = false
    private var isEnding = false
    private var outbox: [Action] = []

    /// `chance` returns random numbers from 0 up to, not including, 1.
    init(
        _ settings: MQTTSettings, _ messages: MQTTMessages, at now: Instant,
        chance: @escaping @Sendable () -> Double
    ) {
        self.settings = settings
        self.messages = messages
        self.chance = chance
        brokers = MQTTBrokers(settings, chance: chance())
        state = .resting(until: now)
    }

    /// Begins to deliver events, after the last delivery has finished; false if the session is ending.
    mutating func deliver(_ messages: [MQTTMessage]) -> Bool {
        guard !isEnding else { return false }
        delivery = MQTTDelivery(messages)
        return true
    }

    /// Sends nothing more of the delivery, and waits a moment for the acknowledgements.
    mutating func cancelDelivery(at now: Instant) {
        if delivery?.giveUpBy == nil { delivery?.giveUpBy = now + Self.endLimit }
    }

    /// Ends the session: in order if a broker has accepted the connection, at once otherwise.
    mutating func end(at now: Instant) {
        isEnding = true
        cancelDelivery(at: now)
    }

    // MARK: What to do

    mutating func next(at now: Instant) -> Action {
        while outbox.isEmpty {
            finishDelivery(at: now)
            if outbox.isEmpty, let action = step(at: now) { return action }
        }
        return outbox.removeFirst()
    }

    private mutating func step(at now: Instant) -> Action? {
        switch state {
        case .stopped: return .stop
        case .connected(let link) where link.isOverdue(at: now):
            fail(.silent(for: Self.answerLimit), link, at: now)
        case .connected(var link):
            let isLeaving = isEnding && delivery == nil
            let action = isLeaving ? sayGoodbye(&link, at: now) : speak(&link, at: now)
            state = action == .disconnect ? .stopped : .connected(link)
            return action
        case _ where isEnding:
            state = .stopped
            return .drop
        case .resting(let end) where now >= end:
            state = .opening(until: now + Self.openLimit)
            return .connect(brokers.choice)
        case .opening(let end) where now >= end && settings.addresses.count == 1:
            // A single broker may have several addresses, which libmosquitto tries one after the other.
            let failure = MQTTFailure.silent(for: Self.openLimit)
            outbox.append(.report(.trouble("\(brokers.address): \(failure.text)")))
            state = .opening(until: now + .seconds(3600))
        case .opening(let end) where now >= end: fail(.silent(for: Self.openLimit), nil, at: now)
        case .open(let end) where now >= end: fail(.silent(for: Self.answerLimit), nil, at: now)
        case .resting(let end), .opening(let end), .open(let end): return .wait(until: end)
        }
        return nil
    }

    private mutating func speak(_ link: inout Link, at now: Instant) -> Action {
        if let online = messages.online, now >= link.nextPresence {
            link.announcements.append(online)
            link.nextPresence = now + MQTTMessages.presenceInterval
        }
        if let message = link.announcements.first ?? event(for: link) { return .publish(message) }
        if !link.isWell, !isHeld, delivery == nil, link.announced.isEmpty {
            link.isWell = true
            brokers.well()
            return .report(.well)
        }
        if now >= link.pingDue {
            link.lastSent = now
            return .ping
        }
        let presence = messages.online == nil ? nil : link.nextPresence
        let others = [presence, link.answerDue, delivery?.giveUpBy].compactMap(\.self)
        return .wait(until: others.reduce(link.pingDue, min))
    }

    /// The event that may be sent now.
    private func event(for link: Link) -> MQTTMessage? {
        guard let delivery, delivery.giveUpBy == nil else { return nil }
        // A broker's complaint about one of the register's own messages must not cost an event.
        guard !delivery.isSingle || link.announced.isEmpty else { return nil }
        let window = settings.noSubscriber == .hold ? 1 : settings.inFlight
        return delivery.next(window: min(window, link.receiveMaximum))
    }

    /// Leaves once the broker has acknowledged that the register is offline.
    private func sayGoodbye(_ link: inout Link, at now: Instant) -> Action {
        let end = link.leaveBy ?? now + Self.endLimit
        if link.leaveBy == nil { link.announcements = messages.offline.map { [$0] } ?? [] }
        link.leaveBy = end
        if let offline = link.announcements.first { return .publish(offline) }
        return link.announced.isEmpty || now >= end ? .disconnect : .wait(until: end)
    }

    /// Finishes the delivery if nothing more of it can be settled now.
    private mutating func finishDelivery(at now: Instant) {
        guard let delivery else { return }
        let isConnected = if case .connected = state { true } else { false }
        // A delivery of nothing waits for the connection: it is a trial.
        if delivery.isSettled, !delivery.messages.isEmpty || isConnected {
            finish(.all)
        } else if let end = delivery.giveUpBy, !delivery.isInFlight || now >= end {
            finish(.cancelled)
        } else if let hold = delivery.hold, !delivery.isInFlight {
            finish(.later("\(brokers.address): \(hold)"))
        }
    }

    private mutating func finish(_ outcome: TakeOutcome) {
        delivery = nil
        if case .later = outcome { isHeld = true } else if outcome == .all { isHeld = false }
        outbox.append(.finish(outcome))
    }

    // MARK: What happened

    /// Ignores notices of an attempt that the session has left.
    mutating func receive(_ notice: Notice, at now: Instant) {
        switch (notice, state) {
        case (.opened, .opening): state = .open(until: now + Self.answerLimit)
        case (.accepted(let maximum), .open):
            brokers.connected()
            state = .connected(
                Link(
                    since: now, receiveMaximum: max(1, maximum), announcements: messages.discovery,
                    nextPresence: now, lastSent: now))
        case (.failed(let failure), .opening), (.failed(let failure), .open):
            fail(failure, nil, at: now)
        case (.failed(let failure), .connected(let link)): fail(failure, link, at: now)
        case (_, .connected(var link)):
            hear(notice, &link, at: now)
            state = .connected(link)
        default: break
        }
    }

    private mutating func hear(_ notice: Notice, _ link: inout Link, at now: Instant) {
        switch notice {
        case .published(let id):
            link.lastSent = now
            link.answerDue = link.answerDue ?? now + Self.answerLimit
            guard !link.announcements.isEmpty else { return delivery?.sent(as: id) ?? () }
            link.announcements.removeFirst()
            link.announced.insert(id)
        case .refused(let reason):
            guard !link.announcements.isEmpty else { return settle { $0.refused(reason) } }
            link.announcements.removeFirst()
            warn(ofRefusal: reason)
        case .acknowledged(let id, let reason):
            let holds = settings.noSubscriber == .hold
            if link.announced.remove(id) != nil {
                if reason.isRefusal { warn(ofRefusal: reason.words) }
            } else {
                if reason.isWithoutSubscriber, !holds {
                    warn("nobody has subscribed to some events")
                }
                settle { $0.answered(id, reason.answer(holdsUnsubscribed: holds)) }
            }
            link.answerDue = isBusy(link) ? now + Self.answerLimit : nil
        case .opened, .accepted, .failed: break
        }
    }

    private mutating func fail(_ failure: MQTTFailure, _ link: Link?, at now: Instant) {
        let wasBusy = isBusy(link)
        if failure.kind == .message, link?.announced.isEmpty == true {
            settle { $0.blamed(failure.text) }
        }
        delivery?.disconnected()
        let lived = link.map { $0.since.duration(to: now) }
        let step = brokers.failed(failure, lived: lived, wasBusy: wasBusy, chance: chance())
        if let trouble = step.trouble { outbox.append(.report(.trouble(trouble))) }
        outbox.append(.drop)
        state = .resting(until: now + step.wait)
    }

    private func isBusy(_ link: Link?) -> Bool {
        link?.announced.isEmpty == false || delivery?.isInFlight == true
    }

    private mutating func settle(_ change: (inout MQTTDelivery) -> [MQTTDelivery.Settled]) {
        guard var delivery, case let settled = change(&delivery) else { return }
        self.delivery = delivery
        if !settled.isEmpty { brokers.progressed() }
        outbox += settled.map { .settle($0.index, $0.verdict) }
    }

    private mutating func warn(ofRefusal reason: String) {
        warn("it refuses the message that the register is there: \(reason)")
    }

    private mutating func warn(_ text: String) {
        outbox.append(.report(.warning("\(brokers.address): \(text)")))
    }
}
