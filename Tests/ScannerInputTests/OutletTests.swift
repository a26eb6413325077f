import ScannerInput
import TestTexts
import Testing
import WireText

/// Tests that this module's messages quote foreign texts, whatever characters they contain.
@Suite struct OutletTests {
    @Test func namesAreQuoted() {
        let misquoted = AllScalars.misquoted { name in
            let notices: [ReaderNotice] = [
                .folderMissing(name), .claimedElsewhere(node: "/dev/input/event3", scanner: name),
                .refused(node: "/dev/input/event3", name: name, .matchesNoConfiguredScanner),
                .anotherDevice(node: "/dev/input/event3", scanner: name, name: name),
            ]
            return notices.map(\.description) + ["\(SelectionVerdict.taken(.configured(name)))"]
        }
        #expect(misquoted == [])
    }
}
