import Diagnosis
import Dispatch
import EventService
import Events
import KeyLayouts
import Keystrokes
import KeywedgeConfiguration
import KeywedgeDaemon
import ScannerInput
import WireText

/// Shows a symbol in the terminal and looks at the scan of it.
///
/// Where the daemon runs it holds the scanner, and is asked what it read; nothing is grabbed then.
struct DoctorScan {
    let configuration: Configuration
    /// The devices that are scanners.
    let taken: [SurveyedDevice]
    /// Whether a daemon runs.
    let isDaemonThere: Bool

    /// Waits for the scan.
    func look(within limit: Duration) async -> ScanFinding.Seen {
        guard isDaemonThere else { return await read(within: limit) }
        guard let socket = configuration.listen?.socket else {
            return .impossible(
                "the daemon has the scanner, and the configuration has no listen to ask it by: "
                    + "stop it first (systemctl stop keywedge)")
        }
        show("The daemon that runs gets the scan, and so does whatever takes its events.")
        return await listen(socket, within: limit)
    }

    private func show(_ remark: String) {
        StandardError.raw(TerminalSymbol.drawn().map { "\($0)\n" }.joined())
        StandardError.write("keywedge: scan this symbol. \(remark)")
    }

    /// The event that came.
    private struct Came: Error {
        let event: JSONObject
    }

    private func listen(_ socket: String, within limit: Duration) async -> ScanFinding.Seen {
        let seen = await Doctor.bounded(within: limit) { () -> ScanFinding.Seen in
            do {
                let filter = EventFilter(types: [.scan, .scanRejected])
                try await EventClient(socket: socket).read(from: .now, filter) { received in
                    if let event = try JSONReader.read(received.line).object {
                        throw Came(event: event)
                    }
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

    private func read(within limit: Duration) async -> ScanFinding.Seen {
        let identities = taken.compactMap { try? $0.facts.get().identity }
        guard let first = identities.first, let device = taken.first else {
            return .impossible("no device is taken for a scanner")
        }
        guard identities.allSatisfy({ $0 == first || $0.isSameHardware(as: first) }) else {
            return .impossible("more than one scanner is attached: leave one in")
        }
        let name = device.scanner?.name ?? first.automaticName
        let nodes = taken.map(\.node)
        show("Nobody else gets it meanwhile.")
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Self.read(nodes, of: name, within: limit))
            }
        }
    }

    private static func read(
        _ nodes: [String], of name: String, within limit: Duration
    ) -> ScanFinding.Seen {
        do {
            let scan = try self.scan(nodes, within: limit)
            guard scan.hasBegun else { return .nothing }
            let found = try LayoutsDetectCommand.explanations(of: scan, as: TerminalSymbol.text)
            return .settings(
                found.first?.configurationLines(for: TerminalSymbol.text), scanner: name)
        } catch {
            return .impossible("\(error)")
        }
    }

    private static func scan(
        _ nodes: [String], within limit: Duration
    ) throws -> CalibrationScan {
        let reader = try RawReader(paths: nodes, grabs: true)
        let (seconds, attoseconds) = limit.components
        let end = reader.now + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        var scan = CalibrationScan()
        while true {
            let deadline = min(scan.deadlineMicroseconds ?? end, end)
            guard reader.now < deadline,
                let events = try reader.events(
                    within: .microseconds(max(0, deadline - reader.now)))
            else { return scan }
            for event in events { _ = scan.take(event) }
        }
    }
}
