import Events

/// A state machine that decides an MQTT sink's next action, without using sockets, threads or clocks itself.
///
/// The caller gets an action from ``next(at:)``, performs it, and reports the result to ``receive(_:at:)``.
struct MQTTSession: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Action: Equatable, Sendable {
        case connect(MQTTBrokers.Choice)
        /// Abandon the connection, or the attempt to connect, immediately.
        case drop
        case publish(MQTTMessage)
        case ping
        /// Disconnect cleanly, so that the broker does not publish the will.
        case disconnect
        /// Report the verdict on the event at this index of the delivery.
        case settle(Int, Verdict)
        case finish(TakeOutcome)
        case report(SinkStatusReporter.Notice)
        case remember(MQTTMemory)
        /// Wait until this time, or until a notice or a new request arrives.
        case wait(until: Instant)
        case stop
    }

    enum Notice: Equatable, Sendable {
        /// The connection is open, but the broker has not accepted it yet.
        case opened
        case accepted(MQTTLimits)
        /// The message of the last `publish` action was queued under this message number.
        case published(id: Int32)
        /// The last `publish` action's message can never be sent to this broker; the string is the reason.
        case refused(String)
        case acknowledged(id: Int32, MQTTReason)
        /// The attempt to connect failed, or the connection has ended.
        case failed(MQTTFailure)
    }

    /// How long opening may take before a failure is reported; a slow name lookup alone takes 5 s.
    static let openLimit = Duration.seconds(10)
    /// How long a broker may take to accept a connection or acknowledge a message.
    static let answerLimit = Duration.seconds(30)
    /// How long a cancelled delivery may wait for acknowledgements.
    ///
    /// Afterwards, a session that ends may wait just as long for the acknowledgement of its `offline` message.
    static let endLimit = Duration.seconds(1)

    enum State {
        case resting(until: Instant)
        case opening(until: Instant)
        case open(until: Instant)
        case connected(MQTTLink)
        case stopped
    }

    let settings: MQTTSettings
    private let messages: MQTTMessages
    /// The sink's name, for the `keywedge journal replay --sink …` command that a warning suggests.
    let sink: String
    let chance: @Sendable () -> Double
    var brokers: MQTTBrokers
    var state: State
    var delivery: MQTTDelivery?
    var memory = MQTTMemory()
    /// The value of ``memory`` that was last recalled or queued for storage.
    private var kept = MQTTMemory()
    /// Whether the last delivery ended early because an event must be delivered again later.
    private var isHeld = false
    private var isEnding = false
    var outbox: [Action] = []

    /// Creates a session that connects at `now`; `chance` returns random numbers in `0..<1`.
    init(
        _ settings: MQTTSettings, _ messages: MQTTMessages, sink: String, at now: Instant,
        chance: @escaping @Sendable () -> Double
    ) {
        self.settings = settings
        self.messages = messages
        self.sink = sink
        self.chance = chance
        brokers = MQTTBrokers(settings, chance: chance())
        state = .resting(until: now)
    }

    /// Resumes with the memory of an earlier run; must be called before ``next(at:)``.
    mutating func recall(_ memory: MQTTMemory) { (self.memory, kept) = (memory, memory) }

    /// Begins a delivery, or returns false if the session is ending; the previous delivery must have finished.
    mutating func deliver(_ events: [MQTTEvent]) -> Bool {
        guard !isEnding else { return false }
        delivery = MQTTDelivery(events)
        return true
    }

    /// Stops sending events, but still accepts acknowledgements within ``endLimit``.
    mutating func cancelDelivery(at now: Instant) {
        if delivery?.giveUpBy == nil { delivery?.giveUpBy = now + Self.endLimit }
    }

    /// Ends the session; if a broker has accepted the connection, disconnects cleanly first.
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
            // Do not give up: a single broker may have several addresses, which libmosquitto tries one after another.
            let failure = MQTTFailure.silent(for: Self.openLimit)
            outbox.append(.report(.trouble("\(brokers.address): \(failure.text)")))
            state = .opening(until: now + .seconds(3600))
        case .opening(let end) where now >= end: fail(.silent(for: Self.openLimit), nil, at: now)
        case .open(let end) where now >= end: fail(.silent(for: Self.answerLimit), nil, at: now)
        case .resting(let end), .opening(let end), .open(let end): return .wait(until: end)
        }
        return nil
    }

    private mutating func speak(_ link: inout MQTTLink, at now: Instant) -> Action? {
        if link.nextPresence.map({ $0 <= now }) ?? false { repeatPresence(&link, at: now) }
        if let event = link.announcements.isEmpty ? event(for: link, at: now) : nil {
            announce(&link, at: now) { memory, discovery in
                memory.announce(event, discovery).map { [$0] } ?? []
            }
            if link.announcements.isEmpty { return .publish(event.message) }
        }
        guard outbox.isEmpty else { return nil }
        if let message = link.announcements.first { return .publish(message) }
        if !link.isWell, !isHeld, delivery == nil, link.announced.isEmpty {
            link.isWell = true
            brokers.well()
            return .report(.well)
        }
        if now >= link.pingDue {
            link.lastSent = now
            return .ping
        }
        let start = delivery != nil && now < link.eventsFrom ? link.eventsFrom : nil
        let others = [link.nextPresence, start, link.answerDue, delivery?.giveUpBy]
        return .wait(until: others.compactMap(\.self).reduce(link.pingDue, min))
    }

    /// Announces that the register is online.
    ///
    /// The first call on a connection also announces the entities; so does every call if the broker retains nothing.
    private mutating func repeatPresence(_ link: inout MQTTLink, at now: Instant) {
        let isFirst = link.nextPresence == link.since
        if isFirst || !link.limits.retains {
            announce(&link, at: now) { $0.announce($1) }
        }
        link.announce([messages.online].compactMap(\.self))
        let isOver = messages.online == nil && (link.limits.retains || messages.discovery == nil)
        link.nextPresence = isOver ? nil : now + MQTTMessages.presenceInterval
    }

    /// Updates ``memory`` with `change`, and queues the messages that `change` returns.
    private mutating func announce(
        _ link: inout MQTTLink, at now: Instant,
        _ change: (inout MQTTMemory, MQTTDiscovery?) -> [MQTTMessage]
    ) {
        link.announce(change(&memory, messages.discovery))
        if memory.entities.count > kept.entities.count {
            link.eventsFrom = now + MQTTLink.subscribingTime
        }
        keepMemory()
    }

    mutating func keepMemory() {
        guard memory != kept else { return }
        kept = memory
        outbox.append(.remember(memory))
    }

    private func event(for link: MQTTLink, at now: Instant) -> MQTTEvent? {
        guard let delivery, delivery.giveUpBy == nil, now >= link.eventsFrom else { return nil }
        // Wait for the announcements, so that no event is blamed if the broker rejects an announcement.
        guard !delivery.isSingle || link.announced.isEmpty else { return nil }
        let window = settings.noSubscriber == .hold ? 1 : settings.inFlight
        return delivery.next(window: min(window, link.limits.receiveMaximum))
    }

    /// Whether an event must wait until its topic has a subscriber.
    func isForSubscriber(_ event: MQTTEvent) -> Bool {
        guard settings.noSubscriber == .hold else { return false }
        if let discovery = messages.discovery, MQTTDiscovery.types.contains(event.type) {
            return discovery.covers(event)
        }
        return event.type == .scan || memory.knowsSubscriber(of: event.message.topic)
    }

    /// Announces that the register is offline, and then disconnects within ``endLimit``.
    private mutating func sayGoodbye(_ link: inout MQTTLink, at now: Instant) -> Action {
        let end = link.leaveBy ?? now + Self.endLimit
        if link.leaveBy == nil {
            // Drop all other announcements that are waiting.
            link.announcements = []
            link.announce([messages.offline].compactMap(\.self))
        }
        link.leaveBy = end
        if let offline = link.announcements.first { return .publish(offline) }
        return link.announced.isEmpty || now >= end ? .disconnect : .wait(until: end)
    }

    /// Finishes the delivery if no more of its events can be settled now.
    private mutating func finishDelivery(at now: Instant) {
        guard let delivery else { return }
        let isConnected = if case .connected = state { true } else { false }
        // A delivery without events tests the connection, and therefore waits for it.
        if delivery.isSettled, !delivery.events.isEmpty || isConnected {
            finish(.all)
        } else if let end = delivery.giveUpBy, !delivery.isInFlight || now >= end {
            finish(.cancelled)
        } else if let hold = delivery.hold, !delivery.isInFlight {
            let reason = "\(brokers.address): \(hold)"
            finish(delivery.lacksSubscriber ? .held(reason) : .later(reason))
        }
    }

    private mutating func finish(_ outcome: TakeOutcome) {
        delivery = nil
        switch outcome {
        case .later, .held: isHeld = true
        case .all: isHeld = false
        case .cancelled: break
        }
        keepMemory()
        outbox.append(.finish(outcome))
    }
}
