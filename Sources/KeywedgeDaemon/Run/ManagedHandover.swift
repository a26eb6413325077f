import FoundationEssentials
import Glibc
import Keystrokes
import ScannerInput
import Synchronization

/// The descriptors that the service manager passes: sockets, and scanners that the previous run left claimed.
///
/// A failed start must not leave a scanner unusable, so code that ends the process before ``takeOver()`` must call
/// ``release()`` first. After ``takeOver()``, the descriptors belong to the reader, and the service manager keeps its
/// copies for the next run.
///
/// Protocol: sd_listen_fds_with_names(3).
package final class ManagedHandover: Sendable {
    /// The first descriptor that the service manager passes (`SD_LISTEN_FDS_START`).
    private static let first: Int32 = 3
    /// The maximum number of descriptors to accept; the systemd unit stores far fewer.
    private static let most: Int32 = 256

    package let sockets: [Int32]
    let handover: Handover
    /// The last event number of the previous run; 0 if that run left no ``HandoverNote``.
    let lastSequence: UInt64
    private let notes: [Int32]
    private let manager: ServiceManager
    /// Whether neither ``release()`` nor ``takeOver()`` has been called yet.
    private let isWaiting = Mutex(true)

    /// Reads the service manager's environment variables; call this only once per process.
    package init(environment: (String) -> String?) {
        let manager = ServiceManager(environment: environment)
        var sockets: [Int32] = []
        var notes: [Int32] = []
        var scanners: [(name: String, descriptor: Int32)] = []
        for (descriptor, name) in Self.descriptors(environment) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            if name == HandoverNote.name {
                notes.append(descriptor)
            } else if let name, name.hasPrefix("input-") {
                scanners.append((name, descriptor))
            } else {
                sockets.append(descriptor)
            }
        }
        let note = notes.compactMap(HandoverNote.init(in:)).last
        self.manager = manager
        self.sockets = sockets
        self.notes = notes
        lastSequence = note?.sequence ?? 0
        handover = Handover(
            nodes: scanners.map {
                Handover.Node(name: $0.name, descriptor: $0.descriptor, rest: note?.rests[$0.name])
            },
            keep: { manager.keep($1, as: $0) })
    }

    private static func descriptors(
        _ environment: (String) -> String?
    ) -> [(descriptor: Int32, name: String?)] {
        guard environment("LISTEN_PID") == String(getpid()),
            let count = environment("LISTEN_FDS").flatMap(Int32.init), (1...most).contains(count)
        else { return [] }
        let names = environment("LISTEN_FDNAMES")?.split(
            separator: ":", omittingEmptySubsequences: false)
        return (first..<first + count).enumerated().map { index, descriptor in
            let name = names.flatMap { $0.indices.contains(index) ? String($0[index]) : nil }
            return (descriptor, name)
        }
    }

    /// Releases the scanners, so that they are ordinary keyboards again; does nothing after ``takeOver()``.
    ///
    /// The previous run's ``HandoverNote`` is kept, so that the next start can read it if this one fails.
    package func release() {
        let isFirst = isWaiting.withLock { isWaiting in
            defer { isWaiting = false }
            return isWaiting
        }
        if isFirst { for node in handover.nodes { node.giveUp() } }
    }

    /// Removes the scanners' states from the previous run's ``HandoverNote``.
    ///
    /// Otherwise, if this run read scans and was then killed, the next run would resume from outdated states.
    func prepare() {
        for note in notes { HandoverNote(rests: [:], sequence: lastSequence).write(to: note) }
    }

    /// Makes ``release()`` do nothing from now on, and discards the previous run's ``HandoverNote``.
    func takeOver() {
        isWaiting.withLock { $0 = false }
        for note in notes {
            ftruncate(note, 0)
            close(note)
        }
        if !notes.isEmpty { manager.drop(HandoverNote.name) }
    }

    /// Leaves a ``HandoverNote`` for the next run; call this only after everything that was read has been published.
    func leave(_ rests: [String: ScanAssembler.Rest], lastSequence: UInt64) {
        let note = HandoverNote(rests: rests, sequence: lastSequence)
        guard let descriptor = Handover.memoryFile(name: HandoverNote.name) else { return }
        if note.write(to: descriptor) { manager.keep(descriptor, as: HandoverNote.name) }
        close(descriptor)
    }
}

/// A note from one run of the daemon to the next, with the scanners' states and the last event number.
///
/// The note is a file in memory, whose descriptor the service manager stores. A run that is killed leaves no note.
struct HandoverNote: Equatable, Sendable {
    /// The name under which the service manager stores the descriptor of a ``HandoverNote``.
    static let name = "keywedge-note"

    /// Each node's state between two scans, keyed by the name of the node's stored descriptor.
    let rests: [String: ScanAssembler.Rest]
    let sequence: UInt64

    /// Replaces the file's content with this note; returns false on failure.
    @discardableResult func write(to descriptor: Int32) -> Bool {
        guard let bytes = try? [UInt8](JSONEncoder().encode(self)) else { return false }
        return ftruncate(descriptor, 0) == 0
            && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}

extension HandoverNote: Codable {
    private enum CodingKeys: String, CodingKey { case rests = "scanners", sequence }

    /// A scanner's decoded state; `rest` is nil if the state has an unknown format.
    private struct Readable: Decodable {
        let rest: ScanAssembler.Rest?

        init(from decoder: any Decoder) throws { rest = try? ScanAssembler.Rest(from: decoder) }
    }

    /// Reads the note that an earlier run left in an open file; nil if the file contains no valid note.
    init?(in descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        guard let note = try? JSONDecoder().decode(Self.self, from: Data(bytes.prefix(count)))
        else { return nil }
        self = note
    }

    init(from decoder: any Decoder) throws {
        let note = try decoder.container(keyedBy: CodingKeys.self)
        rests = try note.decode([String: Readable].self, forKey: .rests).compactMapValues(\.rest)
        sequence = try note.decode(UInt64.self, forKey: .sequence)
    }
}
