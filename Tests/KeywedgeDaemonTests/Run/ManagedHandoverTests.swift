import Glibc
import Keystrokes
import ScannerInput
import Testing

@testable import KeywedgeDaemon

/// Tests the note that a run leaves for the next run, and the descriptors that the service manager hands over.
@Suite struct ManagedHandoverTests {
    private let note = HandoverNote(
        rests: [
            "input-13-64": ScanAssembler.Rest(
                usesCapsLock: true, isCapsLockInDoubt: false,
                changeMicroseconds: 123_456_789, terminatorMicroseconds: 123_450_000,
                pauseAfterScan: 4_000),
            "input-13-65": ScanAssembler.Rest(isCapsLockInDoubt: true),
        ], sequence: 42)

    @Test func readingANoteDoesNotUseItUp() throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        #expect(note.write(to: descriptor))
        #expect(HandoverNote(in: descriptor) == note)
        #expect(HandoverNote(in: descriptor) == note)
    }

    @Test func aShorterNoteReplacesALongerOne() throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        #expect(note.write(to: descriptor))
        let other = HandoverNote(rests: [:], sequence: 42)
        #expect(other.write(to: descriptor))
        #expect(HandoverNote(in: descriptor) == other)
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"sequence":"1","scanners":{}}"#, #"{"sequence":1,"scanners":[]}"#,
    ])
    func anotherTextIsNoNote(text: String) throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        _ = write(descriptor, text, text.utf8.count)
        #expect(HandoverNote(in: descriptor) == nil)
    }

    @Test func aScannerWithAMissingFieldIsLeftOut() throws {
        let descriptor = try #require(Handover.memoryFile(name: "test"))
        defer { close(descriptor) }
        let text = #"{"sequence":1,"scanners":{"input-1-2":{"uses_caps_lock":true},"input-1-3":7}}"#
        _ = write(descriptor, text, text.utf8.count)
        #expect(HandoverNote(in: descriptor) == HandoverNote(rests: [:], sequence: 1))
    }

    @Test func namesTellSocketsFromScanners() {
        let handover = ManagedHandover {
            switch $0 {
            case "LISTEN_PID": String(getpid())
            case "LISTEN_FDS": "4"
            case "LISTEN_FDNAMES": "keywedge.socket:input-13-64:keywedge-note:events"
            default: nil
            }
        }
        #expect(handover.sockets == [3, 6])
        #expect(handover.handover.nodes.map(\.name) == ["input-13-64"])
        #expect(handover.handover.nodes.map(\.descriptor) == [4])
    }

    @Test(arguments: [
        ("1", "2"), (String(getpid()), "0"), (String(getpid()), "100000"),
        (String(getpid()), "abc"), (String(getpid()), "-1"),
    ])
    func otherVariablesAreIgnored(pid: String, count: String) {
        let handover = ManagedHandover {
            $0 == "LISTEN_PID" ? pid : $0 == "LISTEN_FDS" ? count : nil
        }
        #expect(handover.sockets.isEmpty && handover.handover.nodes.isEmpty)
    }
}
