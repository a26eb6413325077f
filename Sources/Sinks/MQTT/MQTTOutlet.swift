import Events
package import Journal
import ScannerInput
import Synchronization
package import WireText

/// An outlet that sends events to an MQTT broker.
package final class MQTTOutlet: DurableOutlet {
    private struct State {
        var session: MQTTSession
        var settled: @Sendable (Int, Verdict) -> Void = { _, _ in }
        var whenFinished: CheckedContinuation<TakeOutcome, Never>?
        var isRunning = false
        var isRefusedForCredentials = false
        var whenStopped: CheckedContinuation<Void, Never>?
    }

    private let settings: MQTTSettings
    private let security: MQTTSecurity
    private let messages: MQTTMessages
    private let memoryFile: MQTTMemoryFile?
    private let state: Mutex<State>
    private let wakeup: Wakeup

    /// Creates an outlet that keeps its state in the file at the path `memory`, if any.
    package init(
        _ settings: MQTTSettings, security: MQTTSecurity, register: MQTTRegister,
        memory: String? = nil
    ) throws(SystemCallError) {
        self.settings = settings
        self.security = security
        memoryFile = memory.map(MQTTMemoryFile.init)
        messages = MQTTMessages(settings, register)
        let session = MQTTSession(settings, messages, sink: register.sink, at: .now) {
            Double.random(in: 0..<1)
        }
        state = Mutex(State(session: session))
        wakeup = try Wakeup()
    }

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
    /// If the task is cancelled, this returns within about a second, even if the broker does not answer.
    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        let events = entries.map(messages.event)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAccepted = state.withLock { state in
                    guard state.isRunning, state.session.deliver(events) else { return false }
                    state.settled = settled
                    state.whenFinished = continuation
                    // The cancellation handler may have run before there was a delivery to cancel.
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

    /// Tells the broker that the register is going offline, and disconnects.
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

    private func run(_ reporter: SinkStatusReporter) {
        var client: MQTTClient?
        recall(reporter)
        while true {
            for notice in client?.takeNotices() ?? [] { receive(notice) }
            switch state.withLock({ $0.session.next(at: .now) }) {
            case .connect(let broker):
                client = MQTTClient(for: broker, settings, security, will: messages.offline)
                if client == nil {
                    receive(.failed(MQTTFailure(text: "there is no memory for it")))
                }
                client?.open(waking: wakeup)
            case .drop: client = nil
            case .publish(let message): client?.publish(message)
            case .ping: client?.ping()
            case .disconnect: client?.disconnect()
            case .settle(let index, let verdict):
                state.withLock { $0.settled }(index, verdict)
            case .finish(let outcome):
                state.withLock { $0.whenFinished.take() }?.resume(returning: outcome)
            case .report(let notice): reporter.report(notice)
            case .remember(let memory): remember(memory, reporter)
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

    /// Restores the session's state from the last run, if that run saved it.
    private func recall(_ reporter: SinkStatusReporter) {
        do {
            guard let memory = try memoryFile?.read() else { return }
            state.withLock { $0.session.recall(memory) }
        } catch {
            let path = memoryFile?.path.quoted(upTo: .max) ?? ""
            reporter.report(
                .warning(
                    "\(path) cannot be read, so entities of an earlier run may stay: \(error)"))
        }
    }

    private func remember(_ memory: MQTTMemory, _ reporter: SinkStatusReporter) {
        do {
            try memoryFile?.write(memory)
        } catch {
            reporter.report(
                .warning("what it must know after a restart cannot be kept: \(error)"))
        }
    }

    private func receive(_ notice: MQTTSession.Notice) {
        state.withLock { state in
            if case .failed(let failure) = notice, failure.kind == .credentials {
                state.isRefusedForCredentials = true
            }
            state.session.receive(notice, at: .now)
        }
    }

    package var waitsForConnection: Bool { true }

    package var isRefusedForCredentials: Bool { state.withLock { $0.isRefusedForCredentials } }
}
