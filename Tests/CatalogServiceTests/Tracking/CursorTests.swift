import Catalog
import Testing

@Suite struct CursorTests {
    @Test(arguments: [
        "0-0000000000000000", "42-9f3a0b7c1d2e4f50", "42-9f3a0b7c1d2e4f50.all.17",
        "42-9f3a0b7c1d2e4f50.45.0", "9223372036854775807-ffffffffffffffff.0.9223372036854775807",
    ])
    func aCursorIsWrittenAsItIsRead(text: String) throws {
        #expect(try #require(ChangeCursor(text)).description == text)
    }

    @Test(arguments: [
        "", "42", "-9f3a0b7c1d2e4f50", "042-9f3a0b7c1d2e4f50", "42-9F3A0B7C1D2E4F50",
        "42-9f3a0b7c1d2e4f5", "42-9f3a0b7c1d2e4f50 ", "+42-9f3a0b7c1d2e4f50",
        "42-9f3a0b7c1d2e4f50.", "42-9f3a0b7c1d2e4f50.all", "42-9f3a0b7c1d2e4f50.all.",
        "42-9f3a0b7c1d2e4f50.any.1", "42-9f3a0b7c1d2e4f50.1.-1", "42-9f3a0b7c1d2e4f50.1.2.3",
        "9223372036854775808-9f3a0b7c1d2e4f50", "٤٢-9f3a0b7c1d2e4f50", "42-9f3a0b7c1d2e4f5\u{301}",
    ])
    func whatIsNoneIsNone(text: String) {
        #expect(ChangeCursor(text) == nil)
    }
}
