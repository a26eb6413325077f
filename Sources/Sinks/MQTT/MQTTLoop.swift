import EvdevInput
import Glibc
import WireText

/// What the thread of a connection does: connect, send, keep alive, and connect again.
struct MQTTLoop {
    let connection: MQTTConnection
    let reporter: SinkStatusReporter
    let wakeup: Wakeup
    private let clock = ContinuousClock()
    private var recovery: MQTTRecovery
    private var connectedAt: ContinuousClock.Instant
    /// What is being sent.
    private var job: MQTTConnection.Job?
    /// How many messages may be on their way; 0 while there is no connection.
    private var window = 0
    /// Acknowledgements that are waited for besides the job's.
    private var birthIDs: Set<Int32> = []
    private var nextBirth: ContinuousClock.Instant?
    private var lastWord: ContinuousClock.Instant
    private var deadline: ContinuousClock.Instant?

    init(connection: MQTTConnection, reporter: SinkStatusReporter, wakeup: Wakeup) {
        self.connection = connection
        self.reporter = reporter
        self.wakeup = wakeup
        recovery = MQTTRecovery(connection.settings, chance: Double.random(in: 0..<1))
        connectedAt = clock.now
        lastWord = connectedAt
    }

    /// Runs until the connection ends.
    mutating func run() {
        while !connection.isEnding {
            do throws(MQTTFailure) {
                try converse()
            } catch {
                recover(from: error)
            }
        }
        finishJob(.cancelled)
    }

    /// Waits, before the next connection, as long as is good.
    private mutating func recover(from failure: MQTTFailure) {
        let wasBusy = !birthIDs.isEmpty || job?.delivery.isWaiting ?? false
        job?.delivery.disconnected()
        birthIDs = []
        let step = recovery.failed(
            failure, lived: window > 0 ? connectedAt.duration(to: clock.now) : nil,
            wasBusy: wasBusy, chance: Double.random(in: 0..<1))
        window = 0
        if let trouble = step.trouble { reporter.trouble(trouble) }
        let end = clock.now.advanced(by: step.wait)
        while !connection.isEnding, clock.now < end {
            leaveCancelledJob()
            wakeup.wait(atMost: clock.now.duration(to: end))
        }
    }

    /// Whether the broker has taken over this connection what was waiting for it.
    private var isWell = false
    /// The other side has closed its half (`POLLRDHUP`).
    private static let hangUp: Int32 = 0x2000

    /// Connects, and sends and keeps alive until the connection ends.
    private mutating func converse() throws(MQTTFailure) {
        window = 0
        let address = recovery.address
        if connection.settings.addresses.count > 1 { try MQTTReach.check(address) }
        let client = try MQTTClient(
            for: address, connection.settings, security: connection.security,
            isVersion5: recovery.isVersion5, isReturning: recovery.hasWorked,
            will: connection.birth.offline)
        try client.connect(to: address, sessionSeconds: sessionSeconds)
        deadline = clock.now.advanced(by: MQTTConnection.answerTimeout)
        isWell = false
        while !connection.isEnding {
            do throws(MQTTFailure) {
                if window > 0 { try send(over: client) }
                try wait(for: client)
            } catch {
                // What the broker said ahead of the end says more than that it came.
                try take(client.takeNotices())
                throw error
            }
            try take(client.takeNotices())
            if window > 0, nextBirth == nil { try announce(client) }
            noteWell()
        }
        try? sayGoodbye(over: client)
    }

    /// The session must outlive the wait of the will, which else is sent at once.
    private var sessionSeconds: UInt32 {
        UInt32(clamping: connection.settings.presence?.willDelay.components.seconds ?? 0)
    }

    /// Sends what may be on its way.
    private mutating func send(over client: MQTTClient) throws(MQTTFailure) {
        leaveCancelledJob()
        if job == nil { job = connection.takeJob() }
        while let index = job?.delivery.sendable(window: window), let message = job?.messages[index]
        {
            if let id = try client.publish(message) {
                job?.delivery.sent(id: id)
                expectAcknowledgement()
            } else {
                settle(job?.delivery.refusedNext("it is larger than the broker takes") ?? [])
            }
            lastWord = clock.now
        }
        endJob()
    }

    /// Says that the register is there.
    private mutating func announce(_ client: MQTTClient) throws(MQTTFailure) {
        let isFirst = nextBirth == nil
        for message in (isFirst ? connection.birth.discovery : [])
            + [connection.birth.online].compactMap(\.self)
        {
            if let id = try client.publish(message) { birthIDs.insert(id) }
            expectAcknowledgement()
        }
        lastWord = clock.now
        nextBirth = clock.now.advanced(by: MQTTBirthMessages.interval)
    }

    /// Says that the trouble is over, once the broker has taken what was waiting: one that is full takes
    /// the connection, and ends it at the first message.
    private mutating func noteWell() {
        guard window > 0, !isWell, job == nil, birthIDs.isEmpty else { return }
        isWell = true
        recovery.well()
        reporter.well()
    }

    private mutating func expectAcknowledgement() {
        if deadline == nil { deadline = clock.now.advanced(by: MQTTConnection.answerTimeout) }
    }

    /// Waits until something has come or is to be done, and does what the connection needs.
    private mutating func wait(for client: MQTTClient) throws(MQTTFailure) {
        guard let descriptor = client.descriptor else { throw MQTTFailure("the connection broke") }
        var waiting = [
            pollfd(fd: descriptor, events: Int16(POLLIN | Self.hangUp), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if client.wantsToWrite { waiting[0].events |= Int16(POLLOUT) }
        if job?.delivery.isWaiting ?? false { client.expectAcknowledgements() }
        let count = poll(&waiting, 2, milliseconds(until: nextMoment))
        if count > 0, waiting[1].revents != 0 { wakeup.wait() }
        let revents = Int32(waiting[0].revents)
        if count > 0, revents & POLLOUT != 0 { try client.write() }
        // While TLS shakes hands, reading is what goes on with it.
        if count > 0, revents != 0, revents != POLLOUT || window == 0 { try client.read() }
        // libmosquitto takes the end of a connection in mid-handshake for one that goes on.
        if count > 0, revents & Self.hangUp != 0, window == 0, !client.hasNotices {
            throw closedEarly
        }
        try keepTime(client)
    }

    /// Does what is due.
    private mutating func keepTime(_ client: MQTTClient) throws(MQTTFailure) {
        let now = clock.now
        if let deadline, now >= deadline {
            throw MQTTFailure("it has not answered for \(MQTTConnection.answerTimeout.text)")
        }
        guard window > 0 else { return }
        if let nextBirth, now >= nextBirth, connection.birth.online != nil { try announce(client) }
        if now >= pingMoment {
            try client.tend()
            lastWord = now
        }
    }

    /// When the connection must be kept alive, unless something is sent before.
    private var pingMoment: ContinuousClock.Instant {
        lastWord.advanced(by: .seconds(Int64(MQTTClient.keepAlive) + 1))
    }

    /// When something is due.
    private var nextMoment: ContinuousClock.Instant {
        guard window > 0 else { return deadline ?? clock.now }
        let birth = connection.birth.online == nil ? nil : nextBirth
        return [birth, deadline].compactMap(\.self).reduce(pingMoment, min)
    }

    private func milliseconds(until moment: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = clock.now.duration(to: moment).components
        return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
    }

    /// Takes in what came of what was sent.
    private mutating func take(_ notices: [MQTTClient.Notice]) throws(MQTTFailure) {
        for notice in notices {
            switch notice {
            case .connected(let receiveMaximum):
                window = max(1, min(MQTTConnection.window, receiveMaximum))
                connectedAt = clock.now
                recovery.connected()
                deadline = nil
                nextBirth = nil
            case .refused(let reason):
                throw .refused(reason: reason, isVersion5: recovery.isVersion5)
            case .acknowledged(let id, let reason): take(id, reason)
            case .closed(let reason):
                throw closed(reason)
            }
        }
        endJob()
    }

    private func closed(_ reason: Int32) -> MQTTFailure {
        // Reasons of the broker's begin at 0x80; below are libmosquitto's own.
        if reason >= 0x80 {
            var failure = MQTTFailure("\(MQTTFailure.ended.text): \(MQTTReason.words(reason))")
            failure.isTakeover = reason == MQTTReason.sessionTakenOver
            return failure
        }
        return window == 0 ? closedEarly : .ended
    }

    /// The broker closed the connection before it took or refused it.
    private var closedEarly: MQTTFailure {
        let isStranger =
            recovery.address.isSecure && connection.security.certificateFile == nil
        let hint = isStranger ? ", as one does that wants a certificate from us" : ""
        return MQTTFailure(
            "it closed the connection before it answered" + hint,
            mayBeVersion: !recovery.hasWorked)
    }

    private mutating func take(_ id: Int32, _ reason: Int32) {
        let isBirth = birthIDs.remove(id) != nil
        if isBirth, reason >= 0x80 {
            reporter.warn(
                "\(recovery.address): it refuses what tells that the register is there: "
                    + MQTTReason.words(reason))
        }
        if !isBirth, let settled = job?.delivery.acknowledged(id: id, reason: reason) {
            settle(settled)
        }
        if job?.delivery.hasUnsubscribed == true, connection.settings.noSubscriber == .warn {
            reporter.warn("\(recovery.address): nobody has subscribed to some events")
        }
        let isWaiting = !birthIDs.isEmpty || job?.delivery.isWaiting ?? false
        deadline = isWaiting ? clock.now.advanced(by: MQTTConnection.answerTimeout) : nil
    }

    private mutating func settle(_ settled: [(index: Int, verdict: Verdict)]) {
        if !settled.isEmpty { recovery.progressed() }
        for (index, verdict) in settled { job?.settled(index, verdict) }
    }

    /// Ends the job where all of it is settled, or nothing more of it can be.
    private mutating func endJob() {
        switch job?.delivery.state {
        case nil, .going: break
        case .done: finishJob(.all)
        case .stopped(let reason): finishJob(.later("\(recovery.address): \(reason)"))
        }
    }

    private mutating func leaveCancelledJob() {
        if job == nil, connection.isCancelled { job = connection.takeJob() }
        if job != nil, connection.isCancelled { finishJob(.cancelled) }
    }

    private mutating func finishJob(_ outcome: TakeOutcome) {
        let job = self.job ?? connection.takeJob()
        self.job = nil
        job?.end.resume(returning: outcome)
    }

    /// Tells the broker, and those who have subscribed, that the register goes away.
    private mutating func sayGoodbye(over client: MQTTClient) throws(MQTTFailure) {
        guard window > 0 else { return }
        if let offline = connection.birth.offline, let id = try client.publish(offline) {
            let end = clock.now.advanced(by: MQTTConnection.endLimit)
            birthIDs = [id]
            deadline = end
            while !birthIDs.isEmpty, clock.now < end {
                try wait(for: client)
                try take(client.takeNotices())
                if !birthIDs.isEmpty { deadline = end }
            }
        }
        client.disconnect()
        if client.wantsToWrite { try client.write() }
    }
}
