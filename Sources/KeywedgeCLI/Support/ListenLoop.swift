import EventService
import Events
import Journal
import Sinks
import WebAPI
import WireText

/// The loop that receives events from the daemon, and reconnects if the connection ends.
struct ListenLoop: Sendable {
    let client: EventClient
    /// The object that stores the consumer's cursor in the daemon; nil if there is no consumer.
    let keeper: CursorKeeper?
    /// Where to start; a known consumer resumes at its own cursor instead.
    var start: StreamStart
    let filter: EventFilter
    /// The number of events still to receive; nil for no limit.
    var count: Int?
    /// Whether delivery is slow; if so, the cursor is stored after each event to limit repeats.
    let isSlow: Bool
    /// A closure that delivers one event, and returns when the event is accepted.
    let deliver: @Sendable (EventClient.Received) async throws -> Void

    private(set) var backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
    private(set) var lastTrouble: String?

    /// Listens until ``count`` events have arrived or the task is cancelled.
    mutating func run() async throws {
        while true {
            do {
                try await begin()
                if count != 0 { try await listen() }
                if count == 0 { return }
                tell("the daemon has ended the stream")
            } catch let error as EventClientError where error.isTransient {
                tell("\(error)")
            } catch let error as DaemonUnreachable {
                tell(Failure(error).description)
            }
            try Task.checkCancellation()
            try await Task.sleep(for: backoff.next())
        }
    }

    /// Sets the cursor of a new consumer to ``start``, but leaves a known consumer's cursor where it is.
    private mutating func begin() async throws {
        guard let consumer = keeper?.consumer else { return }
        switch start {
        case .oldest:
            if try await !client.knows(consumer) { try await client.move(consumer, to: nil) }
        case .after(let cursor):
            if try await !client.knows(consumer) { try await client.move(consumer, to: cursor) }
        case .now, .consumer: try await keeper?.finish()
        }
        start = .consumer(consumer)
    }

    private mutating func listen() async throws {
        do {
            try await read()
        } catch is Enough {
            // All requested events have arrived.
        } catch {
            // Send the cursor of accepted events even if the stream failed.
            try? await keeper?.finish()
            throw error
        }
        try await keeper?.finish()
    }

    private mutating func read() async throws {
        try await client.read(from: start, filter) { received in
            lastTrouble = nil
            backoff.reset()
            try await deliver(received)
            if let keeper {
                await keeper.move(to: received.cursor)
                if isSlow { try await keeper.finish() }
            } else {
                start = .after(received.cursor)
            }
            count = count.map { $0 - 1 }
            if count == 0 { throw Enough() }
        }
    }

    private mutating func tell(_ trouble: String) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        StandardError.write("\(Escaping.sentence.escaped(trouble)); trying again")
    }

    private struct Enough: Error {}
}

/// An actor that sends a consumer's newest cursor to the daemon.
///
/// While the daemon writes one cursor to disk, further cursors may arrive; only the newest of them is sent.
actor CursorKeeper {
    let consumer: String
    private let client: EventClient
    private var wanted: Cursor?
    private var moving: Task<Void, any Error>?
    private var lastTrouble: String?

    init(client: EventClient, consumer: String) {
        self.client = client
        self.consumer = consumer
    }

    /// Sends the consumer's new cursor to the daemon without waiting for the answer.
    func move(to cursor: Cursor) {
        wanted = cursor
        begin()
    }

    /// Waits until the daemon has stored the last cursor; throws an error if this fails.
    func finish() async throws {
        if wanted != nil { begin() }
        try await moving?.value
    }

    private func begin() {
        if moving == nil { moving = Task { try await moveAll() } }
    }

    private func moveAll() async throws {
        defer { moving = nil }
        while let cursor = wanted {
            wanted = nil
            do {
                try await client.move(consumer, to: cursor)
                lastTrouble = nil
            } catch {
                if !(error is CancellationError) { tell("\(error)") }
                // An event that arrived in the meantime may be the last for a long time, so send its cursor now.
                if wanted != nil { continue }
                let isFinal = (error as? EventClientError).map { !$0.isTransient } ?? false
                // Try again at the next event or connection.
                if !isFinal { wanted = cursor }
                throw error
            }
        }
    }

    private func tell(_ trouble: String) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        StandardError.write(
            "the cursor of \(consumer.quoted(upTo: .max)) is not moved: "
                + "\(Escaping.sentence.escaped(trouble)); events may come again")
    }
}

/// An outlet that passes each event to a command, retrying until the command accepts or permanently refuses it.
///
/// After a cancellation, the command is not started again, but a running command may still accept its event.
struct CommandOutlet: Sendable {
    private let outlet: ExecOutlet

    init(command: [String]) {
        outlet = ExecOutlet(ExecSettings(command: command)) { StandardError.write("\($0)") }
    }

    func deliver(_ event: EventClient.Received) async throws {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(30))
        while true {
            try Task.checkCancellation()
            switch try await outlet.run(event.line) {
            case .settled(.taken): return
            case .settled(.refused(let reason)):
                let id = Event(line: event.line)?.id ?? ""
                StandardError.write(
                    "event \(event.cursor) (id \(id.quoted())) is refused for good: \(reason). It "
                        + "counts as accepted, and is not sent again")
                return
            case .later(let reason, _):
                try Task.checkCancellation()
                let pause = backoff.next()
                StandardError.write("\(reason); the event is given again in \(pause.text)")
                try await Task.sleep(for: pause)
            }
        }
    }
}
