/// Texts with characters that every output format must escape.
package enum HostileTexts {
    /// Every character of the Basic Multilingual Plane and some above it, each followed by `a`; 64 characters per text.
    package static let all: [String] = {
        var numbers = Array(UInt32(0)...0xFFFF)
        numbers += [0x10000, 0x1F600, 0x1F9C9, 0xE0000, 0xE0001, 0xE0041, 0xE007F, 0xE0080]
        numbers += [0xFFFFF, 0x10FFFF]
        let scalars = numbers.compactMap(Unicode.Scalar.init)
        return stride(from: 0, to: scalars.count, by: 64).map { start in
            scalars[start..<min(start + 64, scalars.count)].map { "\($0)a" }.joined()
        }
    }()

    /// Whether the documentation of the event format promises that a character is escaped.
    ///
    /// This repeats `Escaping.isUnsafe` in part on purpose, so that a mistake in it is noticed.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        let number = scalar.value
        return number < 0x20 || (0x7F...0x9F).contains(number)
            || [0x2028, 0x2029, 0x61C, 0xFEFF].contains(number)
            || (0x200B...0x200F).contains(number) || (0x202A...0x202E).contains(number)
            || (0x2060...0x206F).contains(number)
    }
}
