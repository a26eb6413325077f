extension CheckDigit {
    /// Computes the check digit of a price or weight inside an in-store code.
    ///
    /// - Parameter digits: Four or five ASCII digits.
    /// - Returns: 0…9, or nil for any other text.
    ///
    /// Rule: GS1 General Specifications, sections 7.9.2 to 7.9.4.
    public static func priceOrWeight(for digits: some StringProtocol) -> Int? {
        guard (4...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return priceOrWeight(digits.utf8.map(\.digitValue))
    }

    /// Computes the check digit of exactly four or five digits.
    ///
    /// Each position has a weighting factor (2-, 3, 5+ or 5-). With four digits, the result is the last digit of three
    /// times the weighted sum. With five, it is the digit whose value, weighted by 5-, makes the sum a multiple of ten.
    static func priceOrWeight(_ digits: [Int]) -> Int {
        let tables =
            digits.count == 4
            ? [twoMinus, twoMinus, (0...9).map { $0 * 3 }, fiveMinus]
            : [fivePlus, twoMinus, fiveMinus, fivePlus, twoMinus]
        let sum = zip(tables, digits).reduce(0) { $0 + $1.0[$1.1] }
        return digits.count == 4 ? sum * 3 % 10 : fiveMinus.firstIndex(of: (100 - sum) % 10) ?? 0
    }

    // The weighted values of the digits 0 to 9, for the weighting factors that the rule calls 2-, 5+ and 5-.
    private static let twoMinus = [0, 2, 4, 6, 8, 9, 1, 3, 5, 7]
    private static let fivePlus = [0, 5, 1, 6, 2, 7, 3, 8, 4, 9]
    private static let fiveMinus = [0, 5, 9, 4, 8, 3, 7, 2, 6, 1]
}
