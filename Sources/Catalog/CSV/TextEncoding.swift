import Glibc
import WireText

/// The encoding of a CSV file: UTF-8, or any other that the C library's iconv supports.
package struct TextEncoding: Hashable, Sendable {
    package static let utf8 = TextEncoding(name: "UTF-8")
    package let name: String

    private init(name: String) { self.name = name }

    /// Looks up an encoding by its iconv name, ignoring case; nil if iconv does not support it.
    package init?(named name: String) {
        let name = name.uppercased()
        // Windows-1252 has all letters of Latin-1, and also the euro sign.
        let isLatin1 = ["LATIN1", "LATIN-1", "ISO-8859-1"].contains(name)
        self.name = isLatin1 ? "WINDOWS-1252" : name == "UTF8" ? "UTF-8" : name
        // iconv takes options after a slash.
        guard !name.isEmpty, !name.contains(where: { "/,".contains($0) }),
            self == .utf8 || TextConverter(self) != nil
        else { return nil }
    }
}

/// A converter that turns a file's text into UTF-8 with iconv, chunk by chunk.
final class TextConverter {
    private let encoding: TextEncoding
    private let handle: iconv_t
    private var pending: [UInt8] = []
    /// The input from the last ASCII character on, not yet checked as UTF-8.
    private var unfinished: ArraySlice<UInt8> = []
    private var (isUTF8, isASCII) = (true, true)

    init?(_ encoding: TextEncoding) {
        self.encoding = encoding
        guard let handle = iconv_open("UTF-8", encoding.name), handle != iconv_t(bitPattern: -1)
        else { return nil }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    func add(_ bytes: ArraySlice<UInt8>) {
        pending += bytes
        guard isUTF8 else { return }
        isASCII = isASCII && bytes.allSatisfy { $0 < 0x80 }
        let all = unfinished + bytes
        let end = all.lastIndex { $0 < 0x80 } ?? all.startIndex
        // No text has a megabyte without an ASCII character such as a line break.
        isUTF8 =
            all.endIndex - end < 1 << 20 && String(validating: all[..<end], as: UTF8.self) != nil
        unfinished = all[end...]
    }

    /// Writes UTF-8 to `target`, and returns the number of bytes; 0 if more input is needed.
    func convert(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        var written = 0
        let (left, failure) = pending.withUnsafeMutableBytes { source in
            var input = source.baseAddress?.assumingMemoryBound(to: CChar.self)
            var output = target.baseAddress?.assumingMemoryBound(to: CChar.self)
            var (left, room) = (source.count, target.count)
            let result = iconv(handle, &input, &left, &output, &room)
            written = target.count - room
            return (left, result == .max ? errno : 0)
        }
        pending.removeFirst(pending.count - left)
        // Returns the text before a wrong byte first; the next call throws.
        guard failure != EILSEQ || written > 0 else { throw wrongByte }
        return written
    }

    /// Throws if the file ends within a character, or probably has another encoding.
    func finish() throws {
        guard pending.isEmpty else { throw wrongByte }
        isUTF8 = isUTF8 && String(validating: unfinished, as: UTF8.self) != nil
        // A single-byte encoding would turn each UTF-8 letter beyond ASCII into two or more wrong letters.
        guard isASCII || !isUTF8 || !isOfSingleBytes() else {
            throw ImportError(
                "is UTF-8, not \(encoding.name); leave --encoding out.")
        }
    }

    private var wrongByte: ImportError {
        let byte = String(pending.first ?? 0, radix: 16, uppercase: true)
        return ImportError(
            "is not \(encoding.name), which has no byte 0x\(byte) there; expected another --encoding."
        )
    }

    /// Whether the encoding seems to be single-byte; overwrites `pending`, so call this last.
    private func isOfSingleBytes() -> Bool {
        pending = [0xC3, 0xA4]
        var text = [UInt8](repeating: 0, count: 16)
        let count = text.withUnsafeMutableBytes { try? convert(into: $0) }
        return String(decoding: text.prefix(count ?? 0), as: UTF8.self).unicodeScalars.count == 2
    }
}

enum LikelyEncoding {
    static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = Array(bytes.prefix(4))
        if [[0xFF, 0xFE], [0xFE, 0xFF]].contains(head.prefix(2)) { return "UTF-16" }
        let zeros = head.map { $0 == 0 }
        if zeros == [false, true, false, true] { return "UTF-16LE" }
        return zeros == [true, false, true, false] ? "UTF-16BE" : nil
    }

    /// Returns the likely encoding's name for `--encoding`; nil if the bytes are mostly UTF-8.
    static func name(of bytes: ArraySlice<UInt8>) -> String? {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let wrongCount = scalars.count { $0 == "\u{FFFD}" }
        guard wrongCount * 2 > scalars.count(where: { !$0.isASCII }) else { return nil }
        let runs = bytes.split { $0 < 0x80 }
        let pairs = runs.flatMap { run in
            stride(from: run.startIndex, to: run.endIndex - 1, by: 2).map { run[$0...$0 + 1] }
        }
        // In GB18030, most pairs encode common Chinese characters.
        let common = pairs.count { (0xB0...0xD7).contains($0.first ?? 0) && $0.last ?? 0 >= 0xA1 }
        // The buffer may end in the middle of the last run.
        let hasOddRun = runs.contains { $0.count % 2 == 1 && $0.endIndex < bytes.endIndex }
        if !pairs.isEmpty, !hasOddRun, common * 2 >= pairs.count { return "GB18030" }
        if bytes.indices.contains(where: { isPolish($0, in: bytes) }) { return "windows-1250" }
        // Cyrillic words are runs of high bytes.
        let inWords = runs.filter { $0.count >= 3 }.joined().count
        return inWords * 2 >= runs.joined().count ? "windows-1251" : "windows-1252"
    }

    /// Whether the byte at `index` is probably a Polish letter: in a word, where windows-1252 has a sign such as £.
    private static func isPolish(_ index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard [0xA3, 0xAF, 0xB3, 0xB9, 0xBF].contains(bytes[index]), index > bytes.startIndex,
            index + 1 < bytes.endIndex
        else { return false }
        let neighbours = [bytes[index - 1], bytes[index + 1]]
        let areLatin = neighbours.map { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        // A Cyrillic word contains no Latin letters.
        return areLatin.contains(true) && zip(neighbours, areLatin).allSatisfy { $1 || $0 >= 0xC0 }
    }
}
