import Barcodes
import Events
import WireText

extension SensitiveContent {
    /// The data of a `keywedge.scan.redacted` event: what kind of content, and how long.
    func data(from scanner: ScannerLabel, keystrokes: JSONValue) -> JSONObject {
        [
            "scanner": .object(scanner.data), "content": .string(kind.rawValue),
            "length": .integer(Int64(length)), "keystrokes": keystrokes,
        ]
    }
}
