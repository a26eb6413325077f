import Testing
import WebAPI

@Suite struct PinnedKeyTests {
    @Test func aHashIsReadAndWritten() throws {
        let text = "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHv8="
        let key = try #require(PinnedKey(text))
        #expect(key.bytes == Array(0...30) + [255])
        #expect(key.description == text)
        #expect(PinnedKey(String(text.dropFirst(8))) == key)
    }

    @Test(arguments: [
        "", "sha256//", "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8==",
        "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd-_8=",
        "sha1//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ])
    func whatIsNoHashIsNone(text: String) {
        #expect(PinnedKey(text) == nil)
    }
}
