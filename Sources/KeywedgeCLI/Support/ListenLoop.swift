import EventService
import Events
import WebAPI
import WireText

/// Where `listen` puts events.
protocol ListenOutlet: Sendable {
    /// Whether an event takes so long that its cursor is waited for, too: so none is taken twice that
    /// need not be.
    var isSlow: Bool { get }

    /// Takes one event; it is taken when this returns.
    func take(_ line: [UInt8]) async throws
}

/// Follows the daemon's events through its ends and beginnings.
struct ListenLoop: Sendable {
    let client: EventClient
    let consumer: String?
    /// Where to go on; for a consumer, the journal knows.
    var start: EventClient.Start
    let filter: EventFilter
    /// How many events are still wanted; nil for all.
    var count: Int?
    let outlet: any ListenOutlet

    /// Tells the daemon how far the consumer got; also what the last connection did not come to.
    private let keeper: CursorKeeper?
    private var backoff = Backoff(first: .milliseconds(100), longest: .seconds(2))
    private var lastTrouble: String?

    init(
        client: EventClient, consumer: String?, start: EventClient.Start, filter: EventFilter,
        count: Int?, outlet: any ListenOutlet
    ) {
        self.client = client
        self.consumer = consumer
        self.start = start
        self.filter = filter
        self.count = count
        self.outlet = outlet
        keeper = consumer.map { CursorKeeper(client: client, consumer: $0) }
    }

    /// Listens until enough events have come.
    ///
    /// - Throws: What the outlet throws, or why the daemon refuses for good.
    mutating func run() async throws {
        while true {
            do {
                try await begin()
                try await listen()
                tell("the daemon has ended the stream")
            } catch is Enough {
                return
            } catch let error as EventClientError where error.isTransient {
                tell("\(error)")
            } catch let error as ConnectionError {
                guard error.kind != .cancelled else { throw CancellationError() }
                tell("the daemon cannot be reached at \(client.socket.quoted()): \(error)")
            }
            try Task.checkCancellation()
            try await Task.sleep(for: backoff.next())
        }
    }

    /// Puts a new consumer where the command line wants it; one that the daemon knows resumes.
    private mutating func begin() async throws {
        guard let consumer else { return }
        let place: ConsumerPlace? =
            switch start {
            case .oldest: .oldest
            case .after(let cursor): .after(cursor)
            case .now, .consumer: nil
            }
        if let place {
            if try await !client.knows(consumer) { try await client.move(consumer, to: place) }
        } else {
            try await keeper?.finish()
        }
        start = .consumer(consumer)
    }

    private mutating func listen() async throws {
        do {
            try await read()
        } catch {
            // What was taken is told even where the stream has broken.
            if !(error is Enough) { try? await keeper?.finish() }
            guard error is Enough else { throw error }
        }
        try await keeper?.finish()
        if count == 0 { throw Enough() }
    }

    private mutating func read() async throws {
        try await client.read(from: start, filter) { received in
            lastTrouble = nil
            backoff.reset()
            try await outlet.take(received.line)
            if let keeper {
                await keeper.move(to: received.cursor)
                if outlet.isSlow { try await keeper.finish() }
            } else {
                start = .after(received.cursor)
            }
            guard let wanted = count else { return }
            count = wanted - 1
            if wanted <= 1 { throw Enough() }
        }
    }

    /// Says what is wrong, once as long as it is the same.
    private mutating func tell(_ trouble: String) {
        guard trouble != lastTrouble else { return }
        lastTrouble = trouble
        StandardError.write("keywedge: \(Escaping.sentence.escaped(trouble)); trying again")
    }

    private struct Enough: Error {}
}

/// Writes events as lines to standard output.
struct LineOutlet: ListenOutlet {
    let formatter: EventFormatter
    let isSlow = false
    private let output: DescriptorSink

    init(formatter: EventFormatter) {
        self.formatter = formatter
        output = DescriptorSink(
            writer: .standardOutput(), formatter: formatter, flushing: .eachEvent)
    }

    func take(_ line: [UInt8]) async throws {
        if formatter.format == .json {
            try await output.send(line: line)
        } else if let event = Event(line: line) {
            try await output.send(event)
        }
    }
}
