internal import Keystrokes
internal import WireText

/// A lexical scanner that reads the words of a line in the `.keys` format, from left to right.
struct KeysScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ line: String) {
        rest = line[...].unicodeScalars
    }

    /// Whether nothing is left except blanks and a comment.
    var isAtEnd: Bool {
        mutating get {
            rest = rest.drop(while: Self.isBlank)
            return rest.isEmpty || rest.first == "#"
        }
    }

    /// Throws if anything other than blanks and a comment is left on the line.
    mutating func end() throws(LineFault) {
        guard isAtEnd else { throw LineFault(expected: "the end of the line", found: found) }
    }

    mutating func word() -> String? {
        if isAtEnd { return nil }
        let word = rest.prefix { !Self.isBlank($0) }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// Reads a string in double quotation marks, with the escapes that `Escaping` supports.
    mutating func quoted() throws(LineFault) -> String {
        rest = rest.drop(while: Self.isBlank)
        guard rest.first == "\"" else {
            throw LineFault(expected: "a text in double quotation marks", found: found)
        }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return try endQuoted(text) }
            text.append(scalar == "\\" ? try escape() : scalar)
        }
        throw LineFault(expected: "a closing quotation mark", found: found)
    }

    private func endQuoted(_ text: String.UnicodeScalarView) throws(LineFault) -> String {
        if let next = rest.first, !Self.isBlank(next) {
            throw LineFault(expected: "a blank after the closing quotation mark", found: found)
        }
        return String(text)
    }

    private mutating func escape() throws(LineFault) -> Unicode.Scalar {
        let start = rest
        if let scalar = Escaping.popEscaped(from: &rest) { return scalar }
        throw LineFault(
            expected: "one of the escapes \(Escaping.forms)",
            found: "\(quoted: "\\" + String(start))")
    }

    /// Reads a duration such as `150ms`, which must end the line, and returns it in microseconds.
    mutating func microseconds() throws(LineFault) -> Int64 {
        let day: Int64 = 86_400 * 1_000_000
        let units: [Substring: Int64] = ["us": 1, "ms": 1000, "s": 1_000_000]
        let word = word()
        let digits = word?.prefix { "0"..."9" ~= $0 } ?? ""
        guard let word, let scale = units[word[digits.endIndex...]], let number = Int64(digits),
            number <= day / scale
        else {
            throw LineFault(
                expected: "a time of at most a day as 150ms, 2s or 500us", found: Self.found(word))
        }
        try end()
        return number * scale
    }

    private var found: Phrase { Self.found(rest.isEmpty ? nil : String(rest)) }

    /// Returns a word as error messages show it; nil stands for the end of the line.
    static func found(_ word: String?) -> Phrase {
        word.map { "\(quoted: $0)" } ?? "the end of the line"
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}

// The `device` line.
extension KeysScanner {
    private static let deviceForm =
        "name=\"…\", phys=\"…\", uniq=\"…\", bus=HEX, vendor=HEX, product=HEX or version=HEX"

    /// Reads a device's labels and values, such as `name="Scanner" vendor=0c2e`.
    mutating func device() throws(LineFault) -> DeviceIdentity {
        var device = DeviceIdentity()
        var seen: Set<String> = []
        repeat {
            guard let label = label() else {
                throw LineFault(expected: Self.deviceForm, found: found)
            }
            guard seen.insert(label).inserted else {
                throw LineFault(expected: "\(label)= once", found: "it twice")
            }
            switch label {
            case "name": device.name = try quoted()
            case "phys": device.phys = try quoted()
            case "uniq": device.uniq = try quoted()
            case "bus": device.bus = try hexadecimal()
            case "vendor": device.vendor = try hexadecimal()
            case "product": device.product = try hexadecimal()
            case "version": device.version = try hexadecimal()
            default:
                throw LineFault(expected: Self.deviceForm, found: "\(quoted: (label + "="))")
            }
        } while !isAtEnd
        return device
    }

    /// Reads a label and the equals sign after it; nil if there is no equals sign.
    private mutating func label() -> String? {
        if isAtEnd { return nil }
        let name = rest.prefix { $0 != "=" && !Self.isBlank($0) }
        guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "=" else {
            return nil
        }
        rest = rest[name.endIndex...].dropFirst()
        return String(name)
    }

    private mutating func hexadecimal() throws(LineFault) -> UInt16 {
        let word = word() ?? ""
        guard word.utf8.count <= 4, word.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
            let number = UInt16(word, radix: 16)
        else {
            throw LineFault(expected: "one to four hexadecimal digits", found: "\(quoted: word)")
        }
        return number
    }
}
