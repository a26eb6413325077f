import Diagnosis
import EventService
import Events
import KeyLayouts
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

/// A scan of a symbol with a known text, for `layouts detect` and `doctor --scan`.
///
/// Its methods show the symbol, read the scan, and find the scanner settings with which the keys type the text.
struct SymbolScan {
    let text: String

    /// Asks the user to scan the symbol, and draws it if standard error is a terminal that is wide enough.
    func show(_ remark: String) {
        var name = "a symbol of \(text.quoted(upTo: .max))"
        let width = StandardOutput.width(of: 2) ?? 0
        if let symbol = TerminalSymbol(text), symbol.columns <= width {
            StandardError.raw(symbol.lines.map { "\($0)\n" }.joined())
            name = "this symbol"
        } else if text == LayoutDetector.calibrationText {
            name = "the calibration symbol"
        }
        StandardError.write("scan \(name)\(remark)")
    }

    /// Reads one scan's keys, for at most `limit`; returns nil if `reader` was stopped.
    static func keys(
        of reader: RawReader, within limit: Duration? = nil
    ) throws -> CalibrationScan? {
        let end = limit.map { reader.now + $0.wholeMicroseconds }
        var scan = CalibrationScan()
        while true {
            let now = reader.now
            let deadline = [end, scan.deadlineMicroseconds].compactMap(\.self).min()
            let wait = deadline.map { Duration.microseconds($0 - now) }
            guard let events = try reader.events(within: wait) else { return nil }
            for case .key(let event) in events where !scan.take(event) { return scan }
            if let end, now >= end { return scan }
            // After the deadline, keys may still wait: a busy machine may have stopped this process.
            if let deadline, now >= deadline, events.isEmpty { return scan }
        }
    }

    /// Returns the layouts and settings that turn the scanned keys into ``text``, the likeliest first.
    func explanations(of scan: CalibrationScan) throws -> [LayoutExplanation] {
        let registry = try KeyLayoutRegistry.installed()
        let compiler = try orFail(KeyLayoutCompiler.init)
        var detector = LayoutDetector(events: scan.events, expected: text, settings: scan.settings)
        for entry in registry.entries {
            if let layout = try? compiler.compile(entry.layout) { detector.consider(layout) }
        }
        return detector.explanations
    }

    /// Waits until the running daemon reads a scan; returns the event, or why none arrived.
    func event(at socket: String?, within limit: Duration) async -> ScanFinding.Seen {
        guard let socket else {
            return .impossible(
                "the daemon has the scanner and cannot be asked, because the configuration has no listen: "
                    + "stop it first (systemctl stop keywedge)")
        }
        show(". The running daemon gets the scan, and so do the programs that read its events.")
        let seen = await Bounded.run(within: limit) { () -> ScanFinding.Seen in
            do {
                let filter = EventFilter(types: [.scan, .scanRejected])
                try await EventClient(socket: socket).read(from: .now, filter) {
                    if let event = try JSONReader.read($0.line).object { throw Came(event: event) }
                }
                return .impossible("the daemon ended the stream")
            } catch let came as Came {
                return .event(came.event)
            } catch {
                return .impossible("\(error)")
            }
        }
        return seen ?? .nothing
    }

    /// An error that ends the event stream when the scan's event has arrived.
    private struct Came: Error {
        let event: JSONObject
    }

    /// Claims the attached scanner, and finds settings that turn a scan's keys into ``text``.
    func settings(
        among devices: [SurveyedDevice], within limit: Duration
    ) async -> ScanFinding.Seen {
        let identities = devices.compactMap { try? $0.facts.get().identity }
        guard let first = identities.first, let device = devices.first else {
            return .impossible("no device is recognised as a scanner")
        }
        if !identities.allSatisfy({ $0 == first || $0.isSameHardware(as: first) }) {
            return .impossible("more than one scanner is attached: leave only one attached")
        }
        if (try? device.facts.get())?.interface.keys == nil {
            return .impossible("the scanner does not type: keywedge monitor shows what it sends")
        }
        show(". No other program gets it in the meantime.")
        return await Bounded.waiting {
            do {
                let reader = try RawReader(paths: devices.map(\.node), grabs: true)
                guard let scan = try Self.keys(of: reader, within: limit), scan.hasBegun else {
                    return .nothing
                }
                return .settings(
                    try explanations(of: scan).first?.configurationLines(for: text),
                    scanner: device.scanner?.name ?? first.automaticName)
            } catch {
                return .impossible("\(error)")
            }
        }
    }
}
