import Recordings
import TestTexts
import Testing
import WireText

/// Tests that the messages of this module quote or escape foreign text.
@Suite struct OutletTests {
    @Test func wrongLinesAreQuoted() {
        let misquoted = AllScalars.misquoted { text in
            guard !text.utf8.contains(where: { [0x00, 0x0A, 0x0D, 0x20, 0x09].contains($0) })
            else { return [] }
            return [Reading("# keys\nwait " + text + "\n").message ?? "read"]
        }
        #expect(misquoted == [])
    }

    @Test func namesAndLinesAreEscaped() {
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) { text in
            let errors: [RecordingError] = [
                .systemCall(SystemCallError(operation: "open", path: text, errno: 2)),
                .empty(name: text), .commentsAlone(name: text), .binary(name: text, offset: 1),
                .unrecognised(name: text, line: 1, found: "\(quoted: text) \(text)"),
                .badLine(name: text, line: 1, expected: "x", found: "\(quoted: text) \(text)"),
            ]
            return errors.map(\.description).joined() + (Reading(text).message ?? "")
        }
        #expect(leaks == [])
    }
}
