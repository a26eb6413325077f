import KeyLayouts
import TestTexts
import Testing
import WireText

/// Every character in every message of this module that shows foreign text.
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
