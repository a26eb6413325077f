import Glibc

/// Which addresses a unit of systemd lets its processes reach.
///
/// Rule: systemd.resource-control(5), `IPAddressAllow=`, `IPAddressDeny=`: what is in the first list is
/// allowed, of the rest what is in the second is denied, all else is allowed.
struct AddressRules: Equatable, Sendable {
    private var allowed: [AddressRange] = []
    private var denied: [AddressRange] = []

    /// Reads a unit and its drop-ins.
    ///
    /// - Parameter files: Their contents, in the order in which they count.
    init(_ files: [String]) {
        for file in files { read(file) }
    }

    /// Whether an address can be reached.
    func allows(_ address: AddressRange) -> Bool {
        allowed.contains { $0.contains(address) } || !denied.contains { $0.contains(address) }
    }

    /// Rule: systemd.syntax(7).
    private mutating func read(_ file: String) {
        var isService = false
        var continued = ""
        for line in file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let trimmed = Self.trimmed(line)
            if trimmed.hasPrefix("#") || trimmed.hasPrefix(";") { continue }
            if trimmed.hasSuffix("\\") {
                continued += trimmed.dropLast() + " "
                continue
            }
            let whole = continued + trimmed
            continued = ""
            if whole.hasPrefix("[") {
                isService = whole == "[Service]"
            } else if isService {
                set(whole)
            }
        }
    }

    private mutating func set(_ line: String) {
        guard let sign = line.firstIndex(of: "=") else { return }
        let words = line[line.index(after: sign)...].split(whereSeparator: \.isWhitespace)
        switch Self.trimmed(line[..<sign]) {
        case "IPAddressAllow": Self.add(words, to: &allowed)
        case "IPAddressDeny": Self.add(words, to: &denied)
        default: break
        }
    }

    /// Adds to a list; a setting without a value empties it, as systemd has it.
    private static func add(_ words: [Substring], to list: inout [AddressRange]) {
        if words.isEmpty { list = [] } else { list += words.flatMap(AddressRange.ranges) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }
        return end.map { String(start[...$0]) } ?? ""
    }
}

/// A range of network addresses, as a unit of systemd names it.
///
/// Rule: systemd.resource-control(5), `IPAddressAllow=`.
struct AddressRange: Equatable, Sendable {
    /// The first address: 4 bytes, or 16.
    private let bytes: [UInt8]
    /// How many bits of it count.
    private let length: Int

    private init(_ bytes: [UInt8], length: Int) {
        self.bytes = bytes
        self.length = length
    }

    /// Reads an address with or without a length: `192.0.2.10`, `10.0.0.0/8`, `2001:db8::/32`; nil
    /// where the text is none.
    ///
    /// - Parameter text: The address.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // An address of a link has the name of the link behind it.
        let address = parts.first?.prefix { $0 != "%" } ?? ""
        guard let bytes = Self.bytes(String(address)) else { return nil }
        guard parts.count == 2 else {
            self.init(bytes, length: bytes.count * 8)
            return
        }
        guard let length = Int(parts[1]), (0...bytes.count * 8).contains(length) else {
            return nil
        }
        self.init(bytes, length: length)
    }

    /// The ranges that a word of a unit means; none for a word that is none, as systemd has it.
    static func ranges(of word: some StringProtocol) -> [AddressRange] {
        let ranges: [String] =
            switch String(word) {
            case "any": ["0.0.0.0/0", "::/0"]
            case "localhost": ["127.0.0.0/8", "::1/128"]
            case "link-local": ["169.254.0.0/16", "fe80::/64"]
            case "multicast": ["224.0.0.0/4", "ff00::/8"]
            default: [String(word)]
            }
        return ranges.compactMap { AddressRange($0) }
    }

    /// Whether all of another range is in this one.
    func contains(_ other: AddressRange) -> Bool {
        guard bytes.count == other.bytes.count, length <= other.length else { return false }
        return (0..<length).allSatisfy { bit in
            (bytes[bit / 8] ^ other.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }

    /// Whether these are addresses of a network of one's own, which stay what they are.
    ///
    /// Rules: RFC 1918, section 3; RFC 4193, section 3.
    var isPrivate: Bool {
        [
            "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "169.254.0.0/16",
            "fe80::/10",
        ]
        .compactMap { AddressRange($0) }.contains { $0.contains(self) }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            return withUnsafeBytes(of: four) { Array($0) }
        }
        var sixteen = in6_addr()
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        return withUnsafeBytes(of: sixteen) { Array($0) }
    }
}
