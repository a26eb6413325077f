import WireText

extension BarcodeDecoder {
    func webAddress(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let bytes = scanned.text.utf8.span
        guard let host = DigitalLinkReader.schemeEnd(bytes) else { return nil }
        var link = DigitalLinkReader()
        if let other = link.read(bytes, from: host) { return other }
        var reading = reading(of: link.strings, in: scanned.text)
        // A link may omit the leading zeros of a GTIN, so a short value does not mean that digits are missing.
        let first = link.strings.elements.first
        if reading.gtin == nil, let first, first.applicationIdentifier.key == 0100 {
            reading.gtin = try? GTIN(first.value)
        }
        return reading
    }
}

/// A reader for the element strings in a GS1 Digital Link with any domain and path prefix.
///
/// Rule: GS1 Digital Link Standard: URI Syntax, section 4.
struct DigitalLinkReader {
    private(set) var strings = ElementStringReader()
    private var key: ApplicationIdentifier?
    /// The primary key's qualifiers that have been read so far, in a permitted order.
    private var qualifiers: [UInt16] = []

    /// Adds a Digital Link's elements to `strings` and returns nil; if none can be read, returns a `url` reading.
    mutating func read(_ bytes: Span<UInt8>, from host: Int) -> Reading? {
        let fragment = bytes.firstIndex(of: "#", from: host)
        let query = min(bytes.firstIndex(of: "?", from: host), fragment)
        let path = bytes.firstIndex(of: "/", from: host)
        guard path > host, path < query else { return Reading(.url) }
        let isHost = (host..<path).allSatisfy {
            bytes[$0].isLetterOrDigit || ".-:[]".utf8.contains(bytes[$0])
        }
        guard isHost else { return Reading(.url) }
        let end = Self.pathEnd(bytes, path..<query)
        guard let start = Self.keyStart(bytes, path..<end, isGS1: Self.isGS1(bytes, host..<path))
        else { return Self.compressed(bytes, host..<path, path..<query) ?? Reading(.url) }
        checkCharacters(bytes, from: host)
        readPath(bytes, start..<end)
        readQuery(bytes, query + 1..<max(query + 1, fragment))
        strings.checkTogether()
        return nil
    }

    static func schemeEnd(_ bytes: Span<UInt8>) -> Int? {
        if bytes.hasPrefix("https://", ignoringCase: true) { return 8 }
        return bytes.hasPrefix("http://", ignoringCase: true) ? 7 : nil
    }

    /// Whether the host is `id.gs1.org`, on which every path is a Digital Link.
    static func isGS1(_ bytes: Span<UInt8>, _ host: Range<Int>) -> Bool {
        host.count == 10 && bytes.hasPrefix("id.gs1.org", at: host.lowerBound, ignoringCase: true)
    }

    /// Returns the path's end, without the final slash that many web servers add to a GTIN's link.
    private static func pathEnd(_ bytes: Span<UInt8>, _ path: Range<Int>) -> Int {
        let end = path.upperBound - 1
        guard end > path.lowerBound, bytes[end] == "/",
            let key = keyStart(bytes, path.lowerBound..<end, isGS1: false),
            bytes.hasPrefix("/01/", at: key)
        else { return path.upperBound }
        return end
    }

    /// Finds the offset of the slash before the primary key, searching from the path's end; nil if there is no key.
    ///
    /// Many addresses contain a date that looks like a key, so a key is accepted only if its value is valid. On GS1's
    /// own host, every key is accepted, and an invalid value is reported later.
    private static func keyStart(
        _ bytes: Span<UInt8>, _ path: Range<Int>, isGS1: Bool
    ) -> Int? {
        var end = path.upperBound
        while let value = lastSlash(bytes, path.lowerBound..<end),
            let key = lastSlash(bytes, path.lowerBound..<value),
            let ai = ApplicationIdentifier.lookup(in: bytes, at: key + 1),
            key + 1 + ai.length == value
        {
            if ai.spec.isKey {
                return isGS1 || isKey(ai, bytes.extracting(value + 1..<end)) ? key : nil
            }
            end = key
        }
        return nil
    }

    /// Whether a path segment can be the value of a primary key; a GTIN may lack its leading zeros.
    private static func isKey(_ ai: ApplicationIdentifier, _ value: Span<UInt8>) -> Bool {
        if ai.key == 0100 {
            return [8, 12, 13, 14].contains(value.count) && Digits(value)?.isValid ?? false
        }
        return value.firstIndex(of: "%") < value.count
            || ElementStringReader.violations(of: ai, in: value).isEmpty
    }

    static func lastSlash(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        range.last { bytes[$0] == "/" }
    }

    /// Reports the first character that is not allowed in a URI.
    ///
    /// Rule: RFC 3986, section 2.
    private mutating func checkCharacters(_ bytes: Span<UInt8>, from start: Int) {
        let stranger = (start..<bytes.count).first {
            !bytes[$0].isLetterOrDigit && !"-._~:/?#[]@!$&'()*+,;=%".utf8.contains(bytes[$0])
        }
        guard let index = stranger else { return }
        let found = bytes.string(index..<bytes.scalarEnd(index + 1))
        strings.problems.append(
            Problem(
                .error, .wrongCharacter, "\"\(found)\" in the Digital Link is invalid",
                expected: "a character of a URI, or its percent-encoding", got: "another",
                at: index..<index + found.utf8.count))
    }

    private mutating func readPath(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var at = range.lowerBound
        while at < range.upperBound {
            guard let ai = ApplicationIdentifier.lookup(in: bytes, at: at + 1) else { break }
            let start = at + 2 + ai.length
            let end = min(bytes.firstIndex(of: "/", from: start), range.upperBound)
            append(ai, bytes, start..<end, plusIsSpace: false)
            if key == nil {
                key = ai
            } else if !isQualifier(ai) {
                report("(\(ai)) in the path", "a qualifier of the key, in its place", at + 1..<end)
            }
            at = end
        }
    }

    /// Adds an identifier to `qualifiers` if the key allows it next; otherwise, returns false.
    private mutating func isQualifier(_ ai: ApplicationIdentifier) -> Bool {
        qualifiers.append(ai.key)
        let sequences = key?.spec.qualifierSequences ?? []
        let fits = sequences.contains { sequence in
            var rest = qualifiers[...]
            for key in sequence where rest.first == key { rest.removeFirst() }
            return rest.isEmpty
        }
        if !fits { qualifiers.removeLast() }
        return fits
    }

    /// Whether the primary key allows an identifier in the path, along with the qualifiers already read.
    private func belongsIntoPath(_ ai: ApplicationIdentifier) -> Bool {
        (key?.spec.qualifierSequences ?? []).contains { sequence in
            sequence.contains(ai.key) && qualifiers.allSatisfy(sequence.contains)
        }
    }

    /// Reads the attributes in the query; ignores parameters whose names are not numbers.
    private mutating func readQuery(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var at = range.lowerBound
        while at < range.upperBound {
            let end =
                (at..<range.upperBound).first { "&;".utf8.contains(bytes[$0]) }
                ?? range.upperBound
            readParameter(bytes, at..<end)
            at = end + 1
        }
    }

    private mutating func readParameter(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let equals = min(
            bytes.firstIndex(of: "=", from: range.lowerBound), range.upperBound)
        let name = range.lowerBound..<equals
        guard equals < range.upperBound, bytes.extracting(name).number != nil else { return }
        guard let ai = ApplicationIdentifier.lookup(in: bytes, at: range.lowerBound),
            ai.length == name.count
        else {
            strings.problems.append(.unknownAI(bytes.string(name), at: name.lowerBound))
            return
        }
        let isSecond = strings.elements.contains { $0.applicationIdentifier == ai }
        append(ai, bytes, equals + 1..<range.upperBound, plusIsSpace: true)
        if !ai.spec.isAttribute || belongsIntoPath(ai) {
            report("(\(ai)) in the query", "an attribute", range)
        } else if isSecond {
            report("(\(ai)) in the query", "it once", range)
        }
    }

    private mutating func report(_ what: String, _ expected: String, _ span: Range<Int>) {
        strings.problems.append(
            Problem(
                .error, .invalidDigitalLink, "\(what) of the Digital Link is out of place",
                expected: expected, got: "something else", at: span))
    }

    private mutating func append(
        _ ai: ApplicationIdentifier, _ bytes: Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool
    ) {
        let isEncoded = range.contains { bytes[$0] == "%" || plusIsSpace && bytes[$0] == "+" }
        guard isEncoded else { return strings.append(ai, bytes, range) }
        let text = bytes.string(range)
        let spaced = plusIsSpace ? String(text.map { $0 == "+" ? " " : $0 }) : text
        strings.append(ai, decoded: PercentEncoding.decoded(spaced), source: range)
    }
}
