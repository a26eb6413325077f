import KeyLayouts
import Keystrokes
import Testing

@Suite struct KeyboardPictureTests {
    @Test func theUSKeyboardIsDrawnAsItIsEngraved() {
        let rows = [
            "+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+",
            "| ~   | !   | @   | #   | $   | %   | ^   | &   | *   | (   | )   | _   | +   |",
            "| `   | 1   | 2   | 3   | 4   | 5   | 6   | 7   | 8   | 9   | 0   | -   | =   |",
            "+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+",
            "   +-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+-----+",
            "   | Q   | W   | E   | R   | T   | Y   | U   | I   | O   | P   | {   | }   |",
            "   | q   | w   | e   | r   | t   | y   | u   | i   | o   | p   | [   | ]   |",
        ]
        let lines = KeyboardPicture(.us).lines
        #expect(Array(lines.prefix(rows.count)) == rows)
        #expect(
            Array(lines.suffix(3)) == [
                "A key: Shift above, alone below; to the right with AltGr.  * dead key  ␣ space",
                "AltGr: KEY_RIGHTALT", "Caps Lock: KEY_CAPSLOCK",
            ])
    }

    @Test func altGrAndDeadKeysAreShown() throws {
        let lines = KeyboardPicture(try CompiledLayout(KeyLayout("de")).table).lines
        #expect(
            lines[2]
                == "| ^*′ | 1 ¹ | 2 ² | 3 ³ | 4 ¼ | 5 ½ | 6 ¬ | 7 { | 8 [ | 9 ] | 0 } | ß \\ | ´*¸*|"
        )
        #expect(lines.last == "Other keys: KEY_KPDOT ,")
    }

    @Test func marksHaveACircleAndUnsafeCharactersAreNamedBelow() throws {
        let lines = KeyboardPicture(try CompiledLayout(KeyLayout("ir")).table).lines
        #expect(lines.contains { $0.contains("| ◌ْ   | ◌ٌ   |") })
        #expect(lines.contains("AltGr+KEY_0: U+200F RIGHT-TO-LEFT MARK"))
        #expect(lines.contains("Shift+KEY_B: U+200C ZERO WIDTH NON-JOINER"))
    }

    @Test func modifierAndLockKeysShowTheirNames() throws {
        let lines = KeyboardPicture(try CompiledLayout(KeyLayout("de:neo")).table).lines
        #expect(lines.contains { $0.hasPrefix("  |Lvl5 | ü # |") })
        #expect(lines.contains { $0.hasSuffix("| y @ |AltGr|") })
        #expect(lines.contains("AltGr: KEY_BACKSLASH  KEY_CAPSLOCK"))
        #expect(lines.contains("Level 5, not shown: KEY_102ND  KEY_RIGHTALT"))
    }

    @Test func wideCharactersTakeTwoColumns() throws {
        var table = KeyTable()
        table[.q, []] = .character("ア")
        table[.q, .altGr] = .character("x")
        #expect(KeyboardPicture(table).lines[6].hasPrefix("   | アx |"))
    }

    @Test func noLayoutGivesALineThatIsTooLongOrAnUnsafeCharacter() throws {
        let compiler = try KeyLayoutCompiler()
        let names = [
            "us", "fr:bepo", "ir", "il", "in:bolnagri", "jp", "th", "gr:polytonic", "trans",
        ]
        for name in names {
            for line in KeyboardPicture(try compiler.compile(KeyLayout(name)).table).lines {
                let marks = line.unicodeScalars.filter {
                    [.nonspacingMark, .spacingMark, .enclosingMark]
                        .contains($0.properties.generalCategory)
                }
                #expect(line.unicodeScalars.count - marks.count <= 80, "\(name): \(line)")
                let unsafe = line.unicodeScalars.filter {
                    [.control, .format, .privateUse].contains($0.properties.generalCategory)
                }
                #expect(unsafe.isEmpty, "\(name): \(line)")
            }
        }
    }
}
