import EvdevInput

extension DeviceMatch {
    enum Key: String, CaseIterable {
        case vendor, product, name, path, phys, uniq
    }

    /// Reads a match; what is wrong is reported and left out.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.vendor, into: &vendor, Self.number)
        mapping.read(.product, into: &product, Self.number)
        mapping.read(.name, into: &name) { $0.nonEmptyText().map(Glob.init) }
        mapping.read(.path, into: &path, Self.path)
        mapping.read(.phys, into: &phys) { $0.nonEmptyText() }
        mapping.read(.uniq, into: &uniq) { $0.nonEmptyText() }
    }

    /// Reads a number as lsusb shows it, or shortened after `0x` as evtest does.
    ///
    /// It is the scalar's text that counts: to YAML, `0627` is octal and `1e10` has eleven digits.
    private static func number(_ reader: ConfigurationReader) -> UInt16? {
        reader.value("four hexadecimal digits such as 0c2e") { text in
            let isMarked = text.hasPrefix("0x") || text.hasPrefix("0X")
            let digits = isMarked ? text.dropFirst(2) : text[...]
            guard (isMarked ? 1...4 : 4...4).contains(digits.utf8.count),
                digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { return nil }
            return UInt16(digits, radix: 16)
        }
    }

    private static func path(_ reader: ConfigurationReader) -> String? {
        reader.value("the absolute path of a device such as /dev/input/event5") { text in
            text.hasPrefix("/") && !text.contains("\0") ? text : nil
        }
    }
}
