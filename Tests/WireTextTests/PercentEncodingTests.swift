import TestTexts
import Testing
import WireText

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("4006381333931", "4006381333931"), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"),
        ("a/b?c#d", "a%2Fb%3Fc%23d"), ("100%", "100%25"), ("ü", "%C3%BC"), ("+&=", "%2B%26%3D"),
        ("\u{1d}\0", "%1D%00"), ("🧉", "%F0%9F%A7%89"), ("\r\n", "%0D%0A"),
    ])
    func allButUnreservedCharactersAreEncoded(text: String, encoded: String) {
        #expect(PercentEncoding.encoded(text) == encoded)
        #expect(PercentEncoding.decoded(encoded) == text)
        #expect(PercentEncoding.strictlyDecoded(encoded[...]) == text)
    }

    @Test func othersCanBeKept() {
        #expect(PercentEncoding.encoded("/var/a b%/c", keeping: "/") == "/var/a%20b%25/c")
        #expect(PercentEncoding.encoded("/var/lib", keeping: "/") == "/var/lib")
    }

    @Test(arguments: [
        ("%", "%"), ("%2", "%2"), ("%zz", "%zz"), ("a%2fb%2F", "a/b/"), ("%25zz", "%zz"),
        ("%%41", "%A"), ("%C3", "\u{fffd}"), ("+", "+"), ("%4%31", "%41"), ("é%C3%A9", "éé"),
        ("%\u{ff11}1", "%\u{ff11}1"),
    ])
    func whatIsNotWellEncodedStandsForItself(encoded: String, text: String) {
        #expect(PercentEncoding.decoded(encoded) == text)
    }

    @Test(arguments: ["%", "%2", "%zz", "a%", "%%41", "%C3", "%C3%28", "%ED%A0%80", "%4%31"])
    func readStrictlyItIsNothing(encoded: String) {
        #expect(PercentEncoding.strictlyDecoded(encoded[...]) == nil)
    }

    @Test func aPlusIsASpaceInAQueryOnly() {
        #expect(PercentEncoding.strictlyDecoded("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.strictlyDecoded("a+b%2B") == "a+b+")
    }

    @Test(
        arguments: [
            ("abc", nil), ("", nil), ("%41%7e", nil), ("a b", (1, " ")),
            ("é", (0, "é")), ("a%C3ü", (4, "ü")),
            ("%", (0, nil)), ("ab%4", (2, nil)),
            ("%4g", (0, nil)), ("%41%zz", (3, nil)),
            ("%é", (0, nil)), ("a\u{301}", (1, "\u{301}")),
            ("%4\u{301}", (0, nil)),
        ] as [(String, (Int, Unicode.Scalar?)?)])
    func theFirstFaultIsFound(text: String, fault: (Int, Unicode.Scalar?)?) {
        let found = PercentEncoding.fault(in: text[...], allowing: PercentEncoding.isUnreserved)
        #expect(found?.offset == fault?.0 && found?.character == fault?.1)
    }

    @Test func everyCharacterComesBack() {
        for text in AllScalars.texts {
            let encoded = PercentEncoding.encoded(text)
            #expect(encoded.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == 0x25 })
            #expect(PercentEncoding.fault(in: encoded[...]) { $0 < 0x80 } == nil)
            for read in [
                PercentEncoding.decoded(encoded),
                PercentEncoding.strictlyDecoded(encoded[...], plusIsSpace: true),
            ] {
                #expect(read.map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test func theUnreservedAreThoseOfTheRule() {
        let unreserved = (UInt8.min...UInt8.max).filter(PercentEncoding.isUnreserved)
        #expect(
            String(decoding: unreserved, as: UTF8.self)
                == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")
    }
}
