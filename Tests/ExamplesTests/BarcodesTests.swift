import Testing

@testable import BarcodesExample

@Suite struct BarcodesTests {
    @Test(arguments: [
        ("4006381333931", ["\"4006381333931\": gtin, ean-13, GTIN 04006381333931"]),
        (
            "]d20109506000134352",
            [
                "\"0109506000134352\": gs1, gs1-data-matrix, GTIN 09506000134352",
                "  (01) GTIN: \"09506000134352\"",
            ]
        ),
        (
            "4006381333932",
            [
                "\"4006381333932\": text",
                "  error: \"4006381333932\" has a wrong check digit: expected 1, got 2.",
            ]
        ),
    ])
    func aCodeIsSaidWhatItIs(typed: String, lines: [String]) {
        #expect(BarcodesProgram().lines(for: typed) == lines)
    }
}
