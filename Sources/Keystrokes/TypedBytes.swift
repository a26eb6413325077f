/// The characters of a scan so far, as UTF-8.
///
/// They are kept in place as long as they are few, which they nearly always are: an array would have
/// to be asked with every character whether somebody else holds it.
struct TypedBytes: Sendable {
    private static let places = 64

    private var first = InlineArray<64, UInt8>(repeating: 0)
    private(set) var count = 0
    /// What has no place; its memory is kept from scan to scan.
    private var rest: [UInt8] = []

    /// Whether the text begins with an ASCII character.
    func begin(with character: Unicode.Scalar) -> Bool {
        count > 0 && UInt32(first[0]) == character.value
    }

    @inline(__always)
    mutating func append(_ scalar: UInt32) {
        if scalar < 0x80, first.indices.contains(count) {
            first[count] = UInt8(truncatingIfNeeded: scalar)
            count += 1
        } else {
            appendRarely(scalar)
        }
    }

    @inline(never)
    private mutating func appendRarely(_ scalar: UInt32) {
        guard let encoded = Unicode.Scalar(scalar).flatMap(UTF8.encode) else { return }
        for byte in encoded {
            if count < Self.places { first[count] = byte } else { rest.append(byte) }
            count += 1
        }
    }

    mutating func removeAll() {
        count = 0
        if !rest.isEmpty { rest.removeAll(keepingCapacity: true) }
    }

    /// The text.
    var text: String {
        let inPlace = count - rest.count
        return String(unsafeUninitializedCapacity: count) { buffer in
            let end = first.span.withUnsafeBufferPointer {
                buffer.update(fromContentsOf: $0[..<inPlace])
            }
            return buffer[end...].update(fromContentsOf: rest)
        }
    }
}
