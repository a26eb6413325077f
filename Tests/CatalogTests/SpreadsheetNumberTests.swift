import Testing

@testable import Catalog

/// What spreadsheets make of codes.
@Suite struct SpreadsheetNumberTests {
    @Test(arguments: [
        ("'4006381333931", "4006381333931"), ("4006381333931.0", "4006381333931"),
        ("4006381333931,0", "4006381333931"), ("4006381333931.000", "4006381333931"),
        ("'4006381333931.0", "4006381333931"), (#"="4006381333931""#, "4006381333931"),
        // Its digits are all there, right or wrong.
        ("'4006381333932", "4006381333932"), ("'042100005264", "042100005264"),
        ("4011.0", "4011"), ("'4011", "4011"),
    ])
    func aCodeIsMendedWhereNothingIsLost(written: String, meant: String) {
        #expect(SpreadsheetNumber(written) == .mended(meant))
    }

    /// The zero ahead of a UPC-A, or a digit of another code: nobody knows.
    @Test(arguments: ["42100005264.0", "4006381333932.0", "40063813339312345.0", "12345678.0"])
    func aNumberThatMayHaveLostDigitsIsNone(written: String) {
        #expect(SpreadsheetNumber(written) == .withDecimals(String(written.dropLast(2))))
    }

    @Test(arguments: [
        "4.00638E+12", "4,00638E+12", "4.00638e+12", "4E+12", "4.00638E12", "'4.00638E+12",
    ])
    func aRoundedNumberIsLost(written: String) {
        #expect(SpreadsheetNumber(written) == .rounded)
    }

    @Test(arguments: [
        "4006381333931", "SKU-7", "12E5", "E+5", "A.0", "1.5", "'", "'A", "=\"\"", ".0", "1.0.0",
        "v1.0", "400638 133393,0", "", "'n' Sync",
    ])
    func anyOtherCodeIsItself(written: String) {
        #expect(SpreadsheetNumber(written) == .none)
    }
}
