import WireText

/// Lines of a file in messages.
enum Excerpt {
    /// The number of characters shown of a line.
    private static let limit = 60

    /// The start of `bytes`, which is put between quotation marks.
    ///
    /// Bytes that are not UTF-8 show as U+FFFD.
    ///
    /// - Parameter bytes: A line.
    /// - Returns: At most ``limit`` characters, then `…` where something was left out.
    static func start(of bytes: UnsafeRawBufferPointer) -> Phrase {
        "\(quoted: String(decoding: bytes.prefix(limit * 4 + 4), as: UTF8.self), upTo: limit)"
    }
}
