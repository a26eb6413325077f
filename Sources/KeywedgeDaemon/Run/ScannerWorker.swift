import Barcodes
import Events
import Keystrokes
import Logging
import ScannerInput
import WireText

/// The worker that publishes each scanner's output in a separate task.
struct ScannerWorker: Sendable {
    let pipeline: ScanPipeline
    let publisher: EventPublisher
    let log: Logger
    /// The non-blocking function that requests a signal, such as a beep, from the named scanner.
    var signal: @Sendable (ScannerSignal, String) -> Void = { _, _ in }

    /// Publishes the outputs as events, in order.
    func run(_ outputs: some AsyncSequence<ScannerOutput, Never>) async throws {
        var detector = SensitiveContentDetector()
        for await output in outputs {
            guard let draft = await draft(of: output, detector: &detector) else { continue }
            if let scanner = output.scanner,
                let signal = pipeline.signal(after: draft, from: scanner.label)
            {
                self.signal(signal, scanner.name)
            }
            try await publisher.publish(draft)
        }
    }

    nonisolated(nonsending) private func draft(
        of output: ScannerOutput, detector: inout SensitiveContentDetector
    ) async -> EventDraft? {
        switch output {
        case .lost(let count):
            log.warning(
                "\(count.counted("scan or rejection was", "scans or rejections were")) dropped: they came faster than they were looked up and published"
            )
            return nil
        case .scan(let scanner, let scan):
            return await pipeline.draft(
                for: scan, from: scanner.label, at: SystemClock.time(at: scan.endMicroseconds),
                detector: &detector)
        case .rejected(let scanner, let rejection):
            return pipeline.draft(
                for: rejection, from: scanner.label,
                at: SystemClock.time(at: rejection.endMicroseconds), detector: &detector)
        case .connected(let scanner, let nodes):
            return EventDraft(
                .scannerConnected, scanner: scanner.name, time: SystemClock.now,
                data: [
                    "scanner": .object(scanner.label.data),
                    "nodes": .array(nodes.map(JSONValue.string)),
                ])
        case .disconnected(let scanner, let reason):
            return EventDraft(
                .scannerDisconnected, scanner: scanner.name, time: SystemClock.now,
                data: [
                    "scanner": .object(scanner.label.data), "reason": .string(reason.description),
                ])
        }
    }
}

extension ScannerOutput {
    fileprivate var scanner: AttachedScanner? {
        switch self {
        case .scan(let scanner, _), .rejected(let scanner, _), .connected(let scanner, _),
            .disconnected(let scanner, _):
            scanner
        case .lost: nil
        }
    }
}

extension AttachedScanner {
    var label: ScannerLabel {
        ScannerLabel(
            name: name, settingsName: configuredName, identity: identity, interface: interface)
    }
}
