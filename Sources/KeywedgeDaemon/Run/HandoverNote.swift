import EvdevInput
import Glibc
import Keystrokes
import WireText

/// What a run that ends in order writes down for the next: how it left its scanners, and how far it counted.
///
/// It lies in memory, in a file that the service manager keeps the descriptor of. Whoever reads it empties
/// it: a run that is killed leaves no note, and the next must not take an older one for its own.
struct HandoverNote: Equatable, Sendable {
    /// What its descriptor is kept by.
    static let name = "keywedge-note"

    /// How scanners were left between two scans, by what their nodes are kept by.
    var rests: [String: ScanAssembler.Rest] = [:]
    /// The number of the last event.
    var sequence: UInt64 = 0

    init(rests: [String: ScanAssembler.Rest], sequence: UInt64) {
        self.rests = rests
        self.sequence = sequence
    }

    /// Reads a note, and empties it; nil where there is none.
    init?(takenFrom descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, ftruncate(descriptor, 0) == 0,
            let note = try? JSONReader.read(Array(bytes[..<count])).object,
            case .integer(let sequence)? = note["sequence"],
            let scanners = note["scanners"]?.object
        else { return nil }
        self.sequence = UInt64(clamping: sequence)
        for scanner in scanners.members {
            rests[scanner.key] = scanner.value.object.flatMap(ScanAssembler.Rest.init)
        }
    }

    /// A file in memory that has it; nil where the kernel has none to give.
    func written() -> Int32? {
        guard let descriptor = Handover.memoryFile(name: Self.name) else { return nil }
        var scanners = JSONObject()
        for (name, rest) in rests { scanners.append(name, .object(rest.json)) }
        var bytes: [UInt8] = []
        JSONWriter.append(
            ["sequence": .integer(Int64(clamping: sequence)), "scanners": .object(scanners)]
                as JSONObject, to: &bytes)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}

extension ScanAssembler.Rest {
    /// All of it, as JSON.
    fileprivate var json: JSONObject {
        [
            "uses_caps_lock": .bool(usesCapsLock),
            "caps_lock_in_doubt": .bool(isCapsLockInDoubt),
            "changed_us": .integer(changeMicroseconds),
            "terminator_us": terminatorMicroseconds.map { .integer($0) } ?? .null,
        ]
    }

    /// Reads ``json``; nil where anything of it is missing.
    fileprivate init?(_ json: JSONObject) {
        guard case .bool(let usesCapsLock)? = json["uses_caps_lock"],
            case .bool(let isInDoubt)? = json["caps_lock_in_doubt"],
            case .integer(let changed)? = json["changed_us"],
            let terminator = json["terminator_us"]
        else { return nil }
        self.init(
            usesCapsLock: usesCapsLock, isCapsLockInDoubt: isInDoubt,
            changeMicroseconds: changed)
        switch terminator {
        case .integer(let time): terminatorMicroseconds = time
        case .null: terminatorMicroseconds = nil
        default: return nil
        }
    }
}
