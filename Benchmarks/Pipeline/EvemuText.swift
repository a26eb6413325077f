import Keystrokes
import Recordings

/// Makes recordings for benchmarks that read them.
enum EvemuText {
    private static let device = DeviceIdentity(
        name: "Bench", bus: 3, vendor: 0x0c2e, product: 0xb61)

    /// Returns a recording that repeats one scan.
    ///
    /// - Parameters:
    ///   - text: The scanned text; the US layout must have all of its characters.
    ///   - scans: The number of scans.
    ///   - hasComments: Whether each line ends with a comment, as `evemu-record` writes it.
    /// - Returns: The text of the recording.
    /// - Throws: `TypingError` for a character that is not on the layout.
    static func recording(
        of text: String, scans: Int, hasComments: Bool = true
    ) throws -> [UInt8] {
        var writer = EvemuWriter(device: device)
        var bytes: [UInt8] = []
        writer.appendHeader(to: &bytes)
        let events = try Typist().events(for: text)
        for scan in 0..<scans {
            for var event in events {
                event.microseconds += Int64(scan) * 1_000_000
                let lineStart = bytes.count
                writer.append(event, to: &bytes)
                guard !hasComments, let tab = bytes[lineStart...].firstIndex(of: 0x09) else {
                    continue
                }
                bytes.replaceSubrange(tab..., with: [0x0A])
            }
        }
        return bytes
    }
}
