import Barcodes
import EvdevInput
import Events
import Keystrokes
import Logging
import WireText

/// The way of one scanner's outputs to the publisher.
///
/// A worker waits for lookups and sinks, the others do not wait for it.
struct ScannerWorker: Sendable {
    let pipeline: ScanPipeline
    let clock: SystemClock
    let publisher: EventPublisher
    let log: Logger

    /// Makes events of what comes and publishes them in its order, until no more comes.
    func run(_ outputs: some AsyncSequence<ReaderOutput, Never>) async throws {
        var detector = SensitiveContentDetector()
        for await output in outputs {
            guard let draft = await draft(of: output, detector: &detector) else { continue }
            try await publisher.publish(draft)
        }
    }

    nonisolated(nonsending) private func draft(
        of output: ReaderOutput, detector: inout SensitiveContentDetector
    ) async -> EventDraft? {
        switch output {
        case .scanner: return nil
        case .notice(let notice):
            log.tell(notice)
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

extension Logger {
    /// Tells what the reader noticed.
    func tell(_ notice: ReaderNotice) {
        log(level: notice.isWarning ? .warning : .info, "\(notice)")
    }
}
