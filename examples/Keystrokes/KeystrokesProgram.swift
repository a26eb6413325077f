import Keystrokes

/// Puts key events together to scans, as they come from a keyboard's event device.
struct KeystrokesProgram {
    private var assembler = ScanAssembler(settings: ScanSettings())

    /// Takes one line: `MICROSECONDS KEY down`, `up` or `repeat`, with a key's name such as `KEY_A`; or
    /// `MICROSECONDS lost`, where the kernel says that it has lost events.
    ///
    /// - Parameter line: The line.
    /// - Returns: The line to print, where a scan or its rejection came of it.
    /// - Throws: ``BadLine``.
    mutating func take(_ line: String) throws(BadLine) -> String? {
        let words = line.split(separator: " ")
        guard let time = words.first.flatMap({ Int64($0) }) else { throw BadLine(line: line) }
        if words.count == 2, words[1] == "lost" {
            // Nothing is believed until the report behind it.
            return text(assembler.feed(.dropped(at: time)))
                ?? text(assembler.feed(.report(at: time)))
        }
        guard words.count == 3, let key = KeyCode(name: String(words[1])),
            let value = ["up", "down", "repeat"].firstIndex(of: words[2])
        else { throw BadLine(line: line) }
        // A pause may have ended a scan before this key.
        let ended = text(assembler.advance(to: time))
        let outcome = text(assembler.feed(.key(key, Int32(value), at: time)))
        let reported = text(assembler.feed(.report(at: time)))
        return ended ?? outcome ?? reported
    }

    /// Says what is left when no more keys come.
    ///
    /// - Returns: The line to print, where there is one.
    mutating func finish() -> String? {
        text(assembler.finish())
    }

    private func text(_ outcome: ScanAssembler.Outcome) -> String? {
        switch outcome {
        case .nothing: nil
        case .scan(let scan): "scan \(scan.text.debugDescription), \(scan.keyCount) keys"
        case .rejection(let rejection):
            "rejected: \(rejection.reason.rawValue), read \(rejection.text.debugDescription)"
        }
    }
}

/// A line that says nothing about a key.
struct BadLine: Error, CustomStringConvertible {
    /// The line.
    let line: String

    /// One sentence.
    var description: String {
        "cannot read \(line.debugDescription): expected a line such as \"2000 KEY_A down\""
    }
}
