import EvdevInput
import Events
package import Journal
import Synchronization
package import WireText

/// Sends events to an MQTT broker: a thread that does what an ``MQTTSession`` decides.
package final class MQTTOutlet: DurableOutlet {
    /// Who waits for a delivery.
    private struct Receiver {
        let settled: @Sendable (Int, Verdict) -> Void
        let end: CheckedContinuation<TakeOutcome, Never>
    }

    private struct State {
        var session: MQTTSession
        var receiver: Receiver?
        var isRunning = false
        var whenStopped: CheckedContinuation<Void, Never>?
    }

    private let settings: MQTTSettings
    private let security: MQTTSecurity
    private let messages: MQTTMessages
    private let state: Mutex<State>
    private let wakeup: Wakeup

    /// Makes an outlet that is not connected yet; `register` and `scanners` are names, for topics and for Home Assistant.
    package init(
        _ settings: MQTTSettings, security: MQTTSecurity, register: String, scanners: [String]
    ) throws(SystemCallError) {
        self.settings = settings
        self.security = security
        messages = MQTTMessages(settings, register: register, scanners: scanners)
        let session = MQTTSession(settings, messages, at: .now) { Double.random(in: 0..<1) }
        state = Mutex(State(session: session))
        wakeup = try Wakeup()
    }

    /// Connects, on a thread of its own.
    package func begin(_ reporter: SinkStatusReporter) throws {
        state.withLock { $0.isRunning = true }
        do {
            try WaitingThread.start { [self] in
                run(reporter)
                stopped()
            }
        } catch {
            stopped()
            throw error
        }
    }

    /// Sends events and waits until the broker has acknowledged them.
    ///
    /// A cancelled call returns after a moment, whatever the broker does.
    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        let events = entries.map(messages.event)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAccepted = state.withLock { state in
                    guard state.isRunning, state.session.deliver(events) else { return false }
                    state.receiver = Receiver(settled: settled, end: continuation)
                    // The handler may have come before there was something to cancel.
                    if Task.isCancelled { state.session.cancelDelivery(at: .now) }
                    return true
                }
                if isAccepted { wakeup.wake() } else { continuation.resume(returning: .cancelled) }
            }
        } onCancel: {
            state.withLock { $0.session.cancelDelivery(at: .now) }
            wakeup.wake()
        }
    }

    /// Tells the broker that the register goes away, and disconnects; does not wait for one that is not there.
    package func end() async {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                state.session.end(at: .now)
                if state.isRunning { state.whenStopped = continuation }
                return state.isRunning
            }
            if isRunning { wakeup.wake() } else { continuation.resume() }
        }
    }

    private func stopped() {
        state.withLock { state in
            state.isRunning = false
            return state.whenStopped.take()
        }?.resume()
    }

    /// Performs the session's actions until it stops.
    private func run(_ reporter: SinkStatusReporter) {
        var client: MQTTClient?
        while true {
            for notice in client?.takeNotices() ?? [] {
                state.withLock { $0.session.receive(notice) }
            }
            switch state.withLock({ $0.session.next(at: .now) }) {
            case .connect(let broker): client = connect(to: broker)
            case .drop: client = nil
            case .publish(let message): client?.publish(message)
            case .ping: client?.ping()
            case .disconnect: client?.disconnect()
            case .settle(let index, let verdict):
                state.withLock { $0.receiver }?.settled(index, verdict)
            case .finish(let outcome):
                state.withLock { $0.receiver.take() }?.end.resume(returning: outcome)
            case .report(let notice): reporter.report(notice)
            case .wait(let moment):
                if let client {
                    client.exchange(until: moment, or: wakeup)
                } else {
                    wakeup.wait(atMost: ContinuousClock.now.duration(to: moment))
                }
            case .stop: return
            }
        }
    }

    private func connect(to broker: MQTTBrokers.Choice) -> MQTTClient? {
        let client = MQTTClient(for: broker, settings, security, will: messages.offline)
        if client == nil {
            state.withLock { $0.session.failed(MQTTFailure("there is no memory for it"), at: .now) }
        }
        client?.open(waking: wakeup)
        return client
    }
}

extension MQTTSession {
    fileprivate mutating func receive(_ notice: MQTTClient.Notice) {
        switch notice {
        case .opened: opened(at: .now)
        case .accepted(let maximum): accepted(receiveMaximum: maximum, at: .now)
        case .published(let id): published(as: id, at: .now)
        case .refused(let reason): refused(reason)
        case .acknowledged(let id, let answer): acknowledged(id, answer, at: .now)
        case .failed(let failure): failed(failure, at: .now)
        }
    }
}

extension SinkStatusReporter {
    fileprivate func report(_ notice: Notice) {
        switch notice {
        case .trouble(let text): trouble(text)
        case .warning(let text): warn(text)
        case .well: well()
        }
    }
}
