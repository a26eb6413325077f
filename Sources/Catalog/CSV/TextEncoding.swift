import Glibc
import WireText

/// How a CSV file writes its letters: UTF-8, or another encoding that the C library knows.
package struct TextEncoding: Hashable, Sendable {
    /// UTF-8, which needs no conversion.
    package static let utf8 = TextEncoding(name: "UTF-8")
    /// The name as iconv takes it.
    package let name: String

    private init(name: String) { self.name = name }

    /// Finds an encoding by a name that iconv knows, in either case; nil for any other.
    ///
    /// Latin 1 is read as Windows-1252, which has the same letters and the euro sign besides.
    package init?(named name: String) {
        let name = name.uppercased()
        let isLatin1 = ["LATIN1", "LATIN-1", "ISO-8859-1"].contains(name)
        self.name = isLatin1 ? "WINDOWS-1252" : name == "UTF8" ? "UTF-8" : name
        guard self != .utf8 else { return }
        // iconv takes options after a slash.
        guard !name.isEmpty, !name.contains(where: { "/,".contains($0) }),
            TextConverter(self) != nil
        else { return nil }
    }
}

/// Turns the bytes of a file into UTF-8, one piece after the other, with iconv.
final class TextConverter {
    private let encoding: TextEncoding
    private let handle: iconv_t
    /// Bytes that are not converted yet.
    private var pending: [UInt8] = []
    /// Bytes after the last ASCII character, of which some may be missing.
    private var unfinished: ArraySlice<UInt8> = []
    private var isUTF8 = true
    private var isASCII = true

    /// Fails for an encoding that iconv does not know.
    init?(_ encoding: TextEncoding) {
        self.encoding = encoding
        guard let handle = iconv_open("UTF-8", encoding.name), handle != iconv_t(bitPattern: -1)
        else { return nil }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    /// Takes the next bytes of the file.
    func add(_ bytes: ArraySlice<UInt8>) {
        pending += bytes
        guard isUTF8 else { return }
        isASCII = isASCII && bytes.allSatisfy { $0 < 0x80 }
        let all = unfinished + bytes
        let end = all.lastIndex { $0 < 0x80 } ?? all.startIndex
        // No text of so many letters is without a line break.
        isUTF8 =
            all.endIndex - end < 1 << 20 && String(validating: all[..<end], as: UTF8.self) != nil
        unfinished = all[end...]
    }

    /// Writes as much UTF-8 as there is room for; 0 if more bytes are needed.
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
        // What came ahead of a wrong byte is read first.
        guard failure != EILSEQ || written > 0 else { throw wrongByte }
        return written
    }

    /// Makes sure that the end of the file is the end of a letter, and that the file is no UTF-8.
    func finish() throws {
        guard pending.isEmpty else { throw wrongByte }
        // Every letter beyond ASCII would be two wrong ones in an encoding of single bytes.
        guard
            isASCII || !isUTF8 || String(validating: unfinished, as: UTF8.self) == nil
                || !isOfSingleBytes
        else {
            throw ImportError(
                "is UTF-8 and was to be read as \(encoding.name); leave --encoding out.")
        }
    }

    private var wrongByte: ImportError {
        let byte = String(pending.first ?? 0, radix: 16, uppercase: true)
        return ImportError(
            "is not \(encoding.name), which has no byte 0x\(byte) there; expected another --encoding."
        )
    }

    private var isOfSingleBytes: Bool {
        guard let other = TextConverter(encoding) else { return false }
        other.add([0xC3, 0xA4])
        var text = [UInt8](repeating: 0, count: 16)
        let count = text.withUnsafeMutableBytes { try? other.convert(into: $0) }
        return String(decoding: text.prefix(count ?? 0), as: UTF8.self).unicodeScalars.count == 2
    }
}

/// Which encoding a text that is not UTF-8 probably has, judged by its bytes beyond ASCII.
///
/// | what speaks for it | encoding |
/// |---|---|
/// | its mark, or a zero byte in every second place | UTF-16 |
/// | pairs of high bytes, most of them of the common Chinese characters | GB18030 |
/// | high bytes among Latin letters that are letters in Polish only | windows-1250 |
/// | whole words of high bytes | windows-1251 (Cyrillic) |
/// | single high bytes otherwise | windows-1252 |
enum LikelyEncoding {
    /// The name if the file's first bytes are those of UTF-16.
    static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
        let head = Array(bytes.prefix(4))
        if [[0xFF, 0xFE], [0xFE, 0xFF]].contains(head.prefix(2)) { return "UTF-16" }
        switch head.map({ $0 == 0 }) {
        case [false, true, false, true]: return "UTF-16LE"
        case [true, false, true, false]: return "UTF-16BE"
        default: return nil
        }
    }

    /// The name to write with `--encoding`; nil if the bytes are UTF-8, damaged at most in places.
    static func name(of bytes: ArraySlice<UInt8>) -> String? {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let wrongCount = scalars.count { $0 == "\u{FFFD}" }
        guard wrongCount * 2 > scalars.count(where: { !$0.isASCII }) else { return nil }
        let runs = bytes.split { $0 < 0x80 }
        let pairs = runs.flatMap { run in
            stride(from: run.startIndex, to: run.endIndex - 1, by: 2).map { run[$0...$0 + 1] }
        }
        let common = pairs.count {
            (0xB0...0xD7).contains($0[$0.startIndex]) && $0.last ?? 0 >= 0xA1
        }
        // The last run may be cut off where the buffer ends.
        let hasOddRun = runs.contains { $0.count % 2 == 1 && $0.endIndex < bytes.endIndex }
        if !pairs.isEmpty, !hasOddRun, common * 2 >= pairs.count { return "GB18030" }
        if runs.contains(where: { $0.indices.contains { isPolish($0, in: bytes) } }) {
            return "windows-1250"
        }
        let inWords = runs.filter { $0.count >= 3 }.joined().count
        return inWords * 2 >= runs.joined().count ? "windows-1251" : "windows-1252"
    }

    /// Whether a byte is £, ¯, ³, ¹ or ¿ in windows-1252, which stand in no word, and stands in one.
    private static func isPolish(_ index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
        guard [0xA3, 0xAF, 0xB3, 0xB9, 0xBF].contains(bytes[index]), index > bytes.startIndex,
            index + 1 < bytes.endIndex
        else { return false }
        let neighbours = [bytes[index - 1], bytes[index + 1]]
        let areLatin = neighbours.map { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        // A Cyrillic word has no other letters in it.
        return areLatin.contains(true) && zip(neighbours, areLatin).allSatisfy { $1 || $0 >= 0xC0 }
    }
}
