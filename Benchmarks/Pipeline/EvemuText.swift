import Keystrokes
import Recordings

/// Makes recordings to be read back.
enum EvemuText {
    private static let device = DeviceIdentity(
        name: "Bench", bus: 3, vendor: 0x0c2e, product: 0xb61)

    /// A recording of the same scan again and again.
    ///
    /// - Parameters:
    ///   - text: What is scanned; every character of it is on the US layout.
    ///   - scans: How often.
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
