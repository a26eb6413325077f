/// A sum that tells one content from another.
enum ContentSum {
    /// The sum of some bytes.
    ///
    /// It has 128 bits: FNV-1a (draft-eastlake-fnv, section 5), which no chance makes equal.
    static func of(_ bytes: [UInt8]) -> UInt128 {
        bytes.reduce(0x6C62_272E_07BB_0142_62B8_2175_6295_C58D) { sum, byte in
            (sum ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
    }
}
