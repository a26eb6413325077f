import EvdevInput
import TestTexts
import Testing
import WireText

/// Every character, wherever a message of this module shows a text of others.
@Suite struct OutletTests {
    @Test func namesAreQuoted() {
        let misquoted = AllScalars.misquoted { name in
            let notices: [ReaderNotice] = [
                .folderMissing(name), .grabbedElsewhere(node: "/dev/input/event3", scanner: name),
                .refused(node: "/dev/input/event3", name: name, .matchesNoConfiguredScanner),
            ]
            let verdicts: [SelectionVerdict] = [
                .taken(.configured(index: 0, name: name)),
                .refused(.duplicate(scanner: name, of: "/dev/input/event3")),
            ]
            return notices.map(\.description) + verdicts.map(\.description)
        }
        #expect(misquoted == [])
    }
}
