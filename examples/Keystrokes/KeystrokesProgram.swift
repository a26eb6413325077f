import Keystrokes

/// Assembles the key events of a keyboard's event device into scans.
struct KeystrokesProgram {
    private var assembler = ScanAssembler(settings: ScanSettings())

    /// Reads one line and returns the line to print, if a scan or a rejection is complete.
    ///
    /// A line is `MICROSECONDS KEY down`, `up` or `repeat`, where KEY is a name such as `KEY_A`; or
    /// `MICROSECONDS lost`, if the kernel reports that it has lost events. After a `lost` line, list each
    /// key that is still down with `repeat`.
    mutating func read(_ line: String) throws(BadLine) -> String? {
        let words = line.split(separator: " ")
        guard let time = words.first.flatMap({ Int64($0) }) else { throw BadLine(line: line) }
        if words.count == 2, words[1] == "lost" {
            // After lost events, the assembler ignores keys until the next report.
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

    /// Ends the input and returns the line to print, if a scan was in progress.
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

/// An input line that has neither of the expected formats.
struct BadLine: Error, CustomStringConvertible {
    let line: String

    var description: String {
        "cannot read \(line.debugDescription): expected a line such as \"2000 KEY_A down\""
    }
}
