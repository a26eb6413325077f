import TestTexts
import Testing
import WireText

@testable import KeywedgeConfiguration

/// Tests that messages quote texts from a file and escape the names of files.
@Suite struct OutletTests {
    @Test func whatStandsInAFileIsQuoted() {
        let misquoted = AllScalars.misquoted { text in
            // A quoted text is valid YAML, unless it contains U+FFFE or U+FFFF, which YAML does not allow.
            let isReadable = !text.unicodeScalars.contains { [0xFFFE, 0xFFFF].contains($0.value) }
            return isReadable ? sentences("barcodes: {region: \(text.quoted())}") : []
        }
        #expect(misquoted == [])
    }

    @Test func namesOfFilesAreEscaped() {
        let leaks = AllScalars.leaks(of: AllScalars.shortTexts) { name in
            ConfigurationProblem(file: name, line: 1, found: "x", expected: "y").description
        }
        #expect(leaks == [])
    }
}
