import NIOCore
import NIOHTTP1

/// How much of an answer is still to come, as far as its head tells.
///
/// Bytes that cannot reach beyond the answer's end are parsed as they come; all others have to be
/// looked at more closely, which costs the answer a piece of content more.
struct AnswerFraming: Equatable {
    /// Whether the head has not come yet.
    private(set) var awaitsHead = true
    /// How many bytes of content are still to come; nil where the head has not said so.
    private(set) var missing: Int?

    /// A request is out.
    mutating func begin() {
        self = AnswerFraming()
    }

    /// The head came.
    ///
    /// Rule: RFC 9112, section 6.3: a length counts where there is no transfer coding. Where there
    /// are several, or none that is a number, the parser decides.
    ///
    /// - Parameter fields: Its header fields.
    mutating func take(_ fields: HTTPHeaders) {
        awaitsHead = false
        let lengths = fields["content-length"]
        guard lengths.count == 1, !fields.contains(name: "transfer-encoding") else { return }
        missing = lengths.first.flatMap { Int($0) }
    }

    /// Content came.
    ///
    /// - Parameter count: How many bytes of it.
    mutating func takeContent(of count: Int) {
        missing = missing.map { max(0, $0 - count) }
    }

    /// Whether so many bytes reach to the end of the content at most.
    func holds(_ count: Int) -> Bool {
        missing.map { count <= $0 } ?? false
    }

    /// How long a head is that stands at the beginning of bytes, the empty line included.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: Its length, or nil where its end has not come.
    static func lengthOfHead(in bytes: ByteBufferView) -> Int? {
        var rest = bytes
        while let lineFeed = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<lineFeed]
            rest = rest[(lineFeed + 1)...]
            if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) {
                return rest.startIndex - bytes.startIndex
            }
        }
        return nil
    }
}
