import Glibc

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
        let known = ["UTF8": "UTF-8", "LATIN1": "WINDOWS-1252", "LATIN-1": "WINDOWS-1252"]
        let upper = name.uppercased()
        self.name = known[upper] ?? (upper == "ISO-8859-1" ? "WINDOWS-1252" : upper)
        guard self != .utf8 else { return }
        guard !upper.isEmpty, !upper.contains(where: { "/,".contains($0) }),
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
    private var evidence = UTF8Evidence()

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
        evidence.add(bytes)
        pending += bytes
    }

    /// Writes as much UTF-8 as there is room for; 0 if more bytes are needed.
    func convert(into target: UnsafeMutableRawBufferPointer, path: String) throws -> Int {
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
        guard failure != EILSEQ || written > 0 else { throw wrongByte(path) }
        return written
    }

    /// Makes sure that the end of the file is the end of a letter, and that the file is no UTF-8.
    func finish(path: String) throws {
        guard pending.isEmpty else { throw wrongByte(path) }
        // Every letter beyond ASCII would be two wrong ones in an encoding of single bytes.
        guard !evidence.isUTF8 || !isOfSingleBytes else {
            throw ImportError.utf8(path: path, readAs: encoding)
        }
    }

    private func wrongByte(_ path: String) -> ImportError {
        .notInEncoding(path: path, encoding, byte: pending.first ?? 0)
    }

    private var isOfSingleBytes: Bool {
        guard let other = TextConverter(encoding) else { return false }
        other.add([0xC3, 0xA4])
        var text = [UInt8](repeating: 0, count: 16)
        let count = text.withUnsafeMutableBytes { try? other.convert(into: $0, path: "") }
        return String(decoding: text.prefix(count ?? 0), as: UTF8.self).unicodeScalars.count == 2
    }
}

/// Whether bytes are UTF-8 with letters beyond ASCII.
struct UTF8Evidence {
    /// How many such letters there are.
    private(set) var letters = 0
    /// How many bytes are no UTF-8.
    private(set) var wrongBytes = 0
    private var missing = 0

    var isUTF8: Bool { letters > 0 && wrongBytes == 0 && missing == 0 }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            if missing > 0, byte & 0xC0 == 0x80 {
                missing -= 1
                if missing == 0 { letters += 1 }
                continue
            }
            if missing > 0 { wrongBytes += 1 }
            missing = 0
            switch byte {
            case 0..<0x80: break
            case 0xC2...0xDF: missing = 1
            case 0xE0...0xEF: missing = 2
            case 0xF0...0xF4: missing = 3
            default: wrongBytes += 1
            }
        }
    }
}
