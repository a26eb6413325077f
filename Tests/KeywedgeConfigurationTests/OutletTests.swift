import TestTexts
import Testing
import WireText

@testable import KeywedgeConfiguration

/// Every character, wherever a message of this module shows a text of others.
@Suite struct OutletTests {
    @Test func whatStandsInAFileIsQuoted() {
        let misquoted = AllScalars.misquoted { text in
            // YAML reads in quotation marks what the quoter writes, but for what is no character of
            // its own at all.
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
