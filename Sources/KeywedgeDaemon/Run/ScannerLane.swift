import Barcodes
import EvdevInput
import Events
import Keystrokes
import WireText

/// What one scanner hands over, in order, on its way to the publisher.
///
/// A lane waits for lookups and sinks, the others do not wait for it.
final class ScannerLane: Sendable {
    /// How many scans and rejections wait before one is lost: at a busy till that is an hour.
    static let capacity = 1024

    private let input: AsyncStream<ReaderOutput>.Continuation
    private let outputs: AsyncStream<ReaderOutput>

    init() {
        (outputs, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    }

    /// Puts an output at the end.
    ///
    /// - Returns: Whether there was room for it.
    func add(_ output: ReaderOutput) -> Bool {
        if case .dropped = input.yield(output) { false } else { true }
    }

    /// Nothing more will come.
    func finish() {
        input.finish()
    }

    /// Makes events of what comes and publishes them, until the lane is finished.
    func run(_ pipeline: ScanPipeline, clock: BoxClock, to publisher: EventPublisher) async throws {
        var detector = SensitiveContentDetector()
        for await output in outputs {
            if let draft = await Self.draft(
                of: output, pipeline: pipeline, clock: clock, detector: &detector)
            {
                try await publisher.publish(draft)
            }
        }
    }

    private static func draft(
        of output: ReaderOutput, pipeline: ScanPipeline, clock: BoxClock,
        detector: inout SensitiveContentDetector
    ) async -> EventDraft? {
        switch output {
        case .notice:
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
            .rejected(let scanner, _):
            scanner
        }
    }
}
