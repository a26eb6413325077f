import Keystrokes
import Testing
import WireText

@testable import EvdevInput

@Suite struct SentenceTests {
    @Test(arguments: [
        (
            ReaderNotice.noScanner(configured: true, forbidden: 0),
            "no configured scanner is attached; waiting (keywedge devices lists what is attached)"
        ),
        (
            .noScanner(configured: false, forbidden: 2),
            "no device known as a scanner is attached, and none is configured; waiting"
                + " (keywedge devices lists what is attached; name one under scanners: match:)"
                + "; 2 devices may not be opened by this user"
        ),
        (.folderMissing("/dev/input"), "\"/dev/input\" does not exist; waiting for it"),
        (
            .grabbedElsewhere(node: "/dev/input/event3", scanner: "counter"),
            "/dev/input/event3 (scanner \"counter\") is grabbed by another process; trying again"
                + " (keywedge devices says which it may be)"
        ),
        (
            .noPermission(node: "/dev/input/event3"),
            "/dev/input/event3 may not be opened yet; waiting for its permissions to change"
        ),
        (
            .refused(
                node: "/dev/input/event3", name: "\u{1B}]0;x\u{7}", .matchesNoConfiguredScanner),
            "/dev/input/event3 (\"\\x1b]0;x\\x07\") is left alone: it matches no configured"
                + " scanner"
        ),
        (
            .waitingForHeldKeys(node: "/dev/input/event3"),
            "/dev/input/event3 has a key held down; grabbing it as soon as the key is up"
        ),
        (
            .grabbedWithKeyHeld(node: "/dev/input/event3"),
            "/dev/input/event3 was grabbed while one of its keys was held down"
        ),
        (
            .failed(SystemCallError(operation: "read", path: "/x", errno: 5)),
            "/x: read failed: Input/output error (errno 5)"
        ),
        (.lost(count: 7), "7 scans or rejections were thrown away because nothing read them"),
    ])
    func aNoticeIsASentence(notice: ReaderNotice, sentence: String) {
        #expect(notice.description == sentence)
    }

    @Test func whatNeedsAHandIsAWarning() {
        #expect(ReaderNotice.lost(count: 1).isWarning)
        #expect(ReaderNotice.grabbedElsewhere(node: "", scanner: "").isWarning)
        #expect(!ReaderNotice.noScanner(configured: true, forbidden: 0).isWarning)
        #expect(!ReaderNotice.noPermission(node: "").isWarning)
    }

    @Test func aDisconnectReasonIsAClause() {
        #expect(DisconnectReason.unplugged.description == "unplugged")
        #expect(DisconnectReason.stopped.description == "stopped")
        #expect(
            DisconnectReason.failed(SystemCallError(operation: "read", errno: 5)).description
                == "read failed: Input/output error (errno 5)")
    }
}
