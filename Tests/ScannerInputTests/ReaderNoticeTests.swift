import ScannerInput
import Testing
import WireText

@Suite struct ReaderNoticeTests {
    @Test(arguments: [
        (ReaderNotice.anotherDevice(node: "/dev/input/event3", scanner: "a", name: "b"), true),
        (.claimedElsewhere(node: "/dev/input/event3", scanner: "a"), true),
        (.claimedWithKeyHeld(node: "/dev/input/event3"), true),
        (.noScanner(configured: true), false),
        (.waitingForHeldKeys(node: "/dev/input/event3"), false),
    ])
    func whatNeedsAHandIsAWarning(notice: ReaderNotice, isWarning: Bool) {
        #expect(notice.isWarning == isWarning)
    }

    @Test func aNoticeNamesTheNodeAndTheScanner() {
        let notice = ReaderNotice.anotherDevice(node: "/dev/input/event3", scanner: "a", name: "b")
        for part in ["/dev/input/event3", "\"a\"", "\"b\"", "phys or uniq"] {
            #expect(notice.description.contains(part))
        }
    }

    @Test func aDisconnectReasonIsAClause() {
        let failure = SystemCallError(operation: "read", errno: 5)
        #expect(DisconnectReason.unplugged.description == "unplugged")
        #expect(DisconnectReason.failed(failure).description == "\(failure)")
    }
}
