/// The pair of check characters of GS1's alphanumeric keys.
///
/// Rule: GS1 General Specifications, section 7.9.5.
public enum CheckCharacters {
    /// The check characters that belong behind a text.
    ///
    /// - Parameter text: The key without its check characters: 1 to 97 characters of GS1's
    ///   character set 82.
    /// - Returns: Two characters, or nil where the text is empty, too long or has other
    ///   characters.
    public static func gs1(for text: String) -> String? {
        var copy = text
        let pair = copy.withUTF8 { Self.pair(for: $0.span) }
        return pair.map { String(decoding: [$0.0, $0.1], as: UTF8.self) }
    }

    private static let values =
        "!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
        + "abcdefghijklmnopqrstuvwxyz"
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    /// The character's place in the character set 82, by its code.
    private static let places: [UInt8] = {
        var places = [UInt8](repeating: 255, count: 256)
        for (place, byte) in values.utf8.enumerated() { places[Int(byte)] = UInt8(place) }
        return places
    }()

    private static let primes: [Int] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 97 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }()

    /// The check characters of a key without them.
    static func pair(for value: Span<UInt8>) -> (UInt8, UInt8)? {
        guard value.count > 0, value.count <= primes.count else { return nil }
        var sum = 0
        for index in value.indices {
            let place = Int(places[Int(value[index])])
            guard place < 255 else { return nil }
            sum += place * primes[value.count - 1 - index]
        }
        sum %= 1021
        return (alphabet[sum >> 5], alphabet[sum & 31])
    }
}
