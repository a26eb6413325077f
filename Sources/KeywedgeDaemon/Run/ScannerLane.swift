import Barcodes
import EvdevInput
import Events
import Keystrokes
import Synchronization
import WireText

/// What one scanner hands over, in order, on its way to the publisher.
///
/// A lane waits for lookups and sinks, the others do not wait for it.
final class ScannerLane: Sendable {
    /// How many scans and rejections wait before one is lost: at a busy till that is an hour.
    static let capacity = 1024

    private let input: AsyncStream<ReaderOutput>.Continuation
    private let outputs: AsyncStream<ReaderOutput>
    /// How many outputs that give an event have not been published.
    private let unpublishedCount = Atomic(0)

    init() {
        (outputs, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    }

    /// Puts an output at the end.
    ///
    /// - Returns: Whether there was room for it.
    func add(_ output: ReaderOutput) -> Bool {
        if case .anticipated = output, unpublishedCount.load(ordering: .relaxed) > 0 {
            return true
        }
        let count = output.isYetToBePublished ? 1 : 0
        unpublishedCount.add(count, ordering: .relaxed)
        guard case .dropped = input.yield(output) else { return true }
        unpublishedCount.subtract(count, ordering: .relaxed)
        return false
    }

    /// Nothing more will come.
    func finish() {
        input.finish()
    }

    /// Makes events of what comes and publishes them, until the lane is finished.
    func run(_ pipeline: ScanPipeline, clock: BoxClock, to publisher: EventPublisher) async throws {
        var detector = SensitiveContentDetector()
        for await output in outputs {
            switch output {
            case .anticipated(let scanner, let scan):
                // Where a scan waits behind it, it came too late.
                guard unpublishedCount.load(ordering: .relaxed) == 0 else { continue }
                let made = clock.monotonicMicroseconds
                let time = clock.time(at: scan.endMicroseconds)
                if let draft = pipeline.anticipatedDraft(
                    for: scan, from: scanner.label, at: time, detector: detector)
                {
                    await publisher.getReady(
                        draft, for: scan, from: scanner.name, madeAt: made)
                }
            case .released(_, let scan):
                // What was released was none to be redacted; but what comes may be the rest of it.
                _ = detector.inspect(scan.text, aim: scan.aim)
            default:
                if let draft = await Self.draft(
                    of: output, pipeline: pipeline, clock: clock, detector: &detector)
                {
                    try await publisher.publish(draft)
                }
            }
            if output.isYetToBePublished { unpublishedCount.subtract(1, ordering: .relaxed) }
        }
    }

    private static func draft(
        of output: ReaderOutput, pipeline: ScanPipeline, clock: BoxClock,
        detector: inout SensitiveContentDetector
    ) async -> EventDraft? {
        switch output {
        case .notice, .anticipated, .released:
            return nil
        case .scan(let scanner, let scan):
            return await pipeline.draft(
                for: scan, from: scanner.label, at: clock.time(at: scan.endMicroseconds),
                detector: &detector)
        case .rejected(let scanner, let rejection):
            return pipeline.draft(
                for: rejection, from: scanner.label,
                at: clock.time(at: rejection.endMicroseconds), detector: &detector)
        case .connected(let scanner, let nodes):
            return EventDraft(
                .scannerConnected, scanner: scanner.name, time: clock.now,
                data: [
                    "scanner": .object(scanner.label.data),
                    "nodes": .array(nodes.map(JSONValue.string)),
                ])
        case .disconnected(let scanner, let reason):
            return EventDraft(
                .scannerDisconnected, scanner: scanner.name, time: clock.now,
                data: [
                    "scanner": .object(scanner.label.data), "reason": .string(reason.description),
                ])
        }
    }
}

extension AttachedScanner {
    /// The scanner as events name it.
    var label: ScannerLabel { ScannerLabel(name: name, identity: identity) }
}

extension ReaderOutput {
    /// The scanner it is about; nil for a notice.
    var scanner: AttachedScanner? {
        switch self {
        case .notice: nil
        case .connected(let scanner, _), .disconnected(let scanner, _), .scan(let scanner, _),
            .anticipated(let scanner, _), .released(let scanner, _), .rejected(let scanner, _):
            scanner
        }
    }

    /// Whether an event is to be made of it.
    fileprivate var isYetToBePublished: Bool {
        switch self {
        case .connected, .disconnected, .scan, .rejected: true
        case .anticipated, .released, .notice: false
        }
    }
}
