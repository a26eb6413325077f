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
