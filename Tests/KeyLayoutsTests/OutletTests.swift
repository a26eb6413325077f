import KeyLayouts
import TestTexts
import Testing
import WireText

/// Tests that the messages of this module quote and escape foreign text.
@Suite struct OutletTests {
    @Test func namesOfLayoutsAreQuoted() {
        let misquoted = AllScalars.misquoted { name in
            let errors: [KeyLayoutError] = [
                .malformedName(name), .unknownLayout(name, nearest: []),
                .unknownLayout("x", nearest: ["y", name]),
                .unknownLayout("x", nearest: [name, "y"]),
                .unknownVariant(name, of: "x", nearest: []),
                .unknownVariant("x", of: name, nearest: []),
            ]
            return errors.map(\.description)
        }
        #expect(misquoted == [])
    }
}
