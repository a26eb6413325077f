import EvdevInput
import Glibc
import Keystrokes
import Testing

@testable import KeywedgeDaemon

/// What a run leaves for the next.
@Suite struct HandoverNoteTests {
    private let note = HandoverNote(
        rests: [
            "input-13-64": ScanAssembler.Rest(
                usesCapsLock: true, isCapsLockInDoubt: false,
                changeMicroseconds: 123_456_789, terminatorMicroseconds: 123_450_000),
            "input-13-65": ScanAssembler.Rest(isCapsLockInDoubt: true),
        ], sequence: 42)

    @Test func itIsReadOnce() throws {
        let descriptor = try #require(note.written())
        defer { close(descriptor) }
        #expect(HandoverNote(takenFrom: descriptor) == note)
        // A run that is killed leaves none: the next must not take this one for its own.
        #expect(HandoverNote(takenFrom: descriptor) == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"sequence":"1","scanners":{}}"#, #"{"sequence":1,"scanners":[]}"#,
    ])
    func whatIsNoneIsNone(text: String) throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        _ = write(descriptor, text, text.utf8.count)
        #expect(HandoverNote(takenFrom: descriptor) == nil)
    }

    @Test func aScannerOfWhichSomethingIsMissingIsNotKnown() throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        let text = #"{"sequence":1,"scanners":{"input-1-2":{"uses_caps_lock":true},"input-1-3":7}}"#
        _ = write(descriptor, text, text.utf8.count)
        #expect(HandoverNote(takenFrom: descriptor) == HandoverNote(rests: [:], sequence: 1))
    }

    @Test func descriptorsAreToldApartByTheirNames() {
        let descriptors = HandedOverDescriptors {
            switch $0 {
            case "LISTEN_PID": String(getpid())
            case "LISTEN_FDS": "4"
            case "LISTEN_FDNAMES": "keywedge.socket:input-13-64:keywedge-note:events"
            default: nil
            }
        }
        #expect(descriptors.sockets == [3, 6])
        #expect(descriptors.kept.map(\.name) == ["input-13-64", "keywedge-note"])
        #expect(descriptors.kept.map(\.descriptor) == [4, 5])
    }

    @Test(arguments: [("1", "2"), (String(getpid()), "0"), (String(getpid()), "100000")])
    func whatIsNotForUsIsLeftAlone(pid: String, count: String) {
        let descriptors = HandedOverDescriptors {
            $0 == "LISTEN_PID" ? pid : $0 == "LISTEN_FDS" ? count : nil
        }
        #expect(descriptors.sockets.isEmpty && descriptors.kept.isEmpty)
    }
}
