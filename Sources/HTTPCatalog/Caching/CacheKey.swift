/// What answers are kept and joined under: the texts a code is asked for, told apart by their bytes.
///
/// Texts are the same to Swift where they look the same; to a catalog they are not.
struct CacheKey: Hashable, Sendable {
    private let texts: [String]

    init(_ texts: [String]) {
        self.texts = texts
    }

    static func == (left: Self, right: Self) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.utf8.elementsEqual($1.utf8) }
    }

    func hash(into hasher: inout Hasher) {
        for text in texts {
            // No byte of UTF-8, so that no two lists are run together.
            hasher.combine(UInt8(0xFF))
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
