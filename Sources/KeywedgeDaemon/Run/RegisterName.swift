import Glibc

/// The name of this register, for the `source` of events.
package enum RegisterName {
    /// The host's name as far as it can stand in a URI path; `register` where that leaves nothing.
    package static var ofHost: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return fallback }
        return cleaned(
            String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Keeps ASCII letters, digits, `-`, `.` and `_`; each other character becomes `-`.
    ///
    /// - Parameter name: A host's name.
    /// - Returns: A name for a URI path.
    package static func cleaned(_ name: String) -> String {
        let kept = name.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": Character(scalar)
            default: "-"
            }
        }
        return kept.isEmpty ? fallback : String(kept)
    }

    private static let fallback = "register"
}
