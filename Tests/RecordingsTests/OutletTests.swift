import Recordings
import TestTexts
import Testing
import WireText

/// Tests that the messages of this module quote or escape foreign text.
@Suite struct OutletTests {
    @Test func wrongLinesAreQuoted() {
        // Without the characters that end a word or a line, and without NUL, which no recording may contain.
        let words = AllScalars.shortTexts.map { text in
            let kept = text.unicodeScalars.filter { !["\0", "\t", "\n", "\r", " "].contains($0) }
            return String(String.UnicodeScalarView(kept))
        }
        let misquoted = AllScalars.misquoted(of: words) { word in
            [Reading("# keys\nwait " + word + "\n").message ?? "read"]
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
