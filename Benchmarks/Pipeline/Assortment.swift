/// Made-up products of a shop; the same number always gives the same product.
struct Assortment {
    /// The number of products, up to a million.
    let size: Int

    /// The EAN-13 of a product.
    ///
    /// The codes of successive numbers are far apart, like those of a shop's brands.
    ///
    /// - Parameter number: The product; from `size` on, a code that no product has.
    /// - Returns: 13 digits.
    func ean(_ number: Int) -> String {
        // Adding a function of one half to the other can be undone, so no two numbers have the same code.
        var (high, low) = (number / 1_000_000, number % 1_000_000)
        for _ in 0..<3 {
            (high, low) = ((low + Self.scatter(high)) % 1_000_000, high)
            (high, low) = ((low + Self.scatter(high)) % 1_000_000, high)
        }
        let digits = Self.padded(high, to: 6) + Self.padded(low, to: 6)
        var sum = 0
        for (index, byte) in digits.utf8.enumerated() {
            sum += Int(byte - 0x30) * (index % 2 == 0 ? 1 : 3)
        }
        return digits + String((10 - sum % 10) % 10)
    }

    /// The shop's own number of a product, which is no GTIN.
    ///
    /// - Parameter number: The product.
    /// - Returns: A letter and digits.
    func sku(_ number: Int) -> String {
        "A" + Self.padded(number, to: 7)
    }

    /// All products as a catalog file.
    var csv: [UInt8] {
        var text = Array("id,ean,sku,name,price,currency,unit,colour\n".utf8)
        for number in 0..<size {
            let sku = sku(number)
            let price = "\(number % 100).\(Self.padded(number % 97, to: 2))"
            let colour = ["red", "green", "blue"][number % 3]
            let row =
                "P\(number),\(ean(number)),\(sku),Product \(number) of the assortment,"
                + "\(price),EUR,pcs,\(colour)\n"
            text.append(contentsOf: row.utf8)
        }
        return text
    }

    private static func scatter(_ number: Int) -> Int {
        var generator = SplitMix(state: UInt64(number))
        return Int(generator.next() % 1_000_000)
    }

    private static func padded(_ number: Int, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

/// A generator of numbers that look random and are the same in every run.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
