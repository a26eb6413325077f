import Barcodes
import Foundation
import Testing

struct ProblemTests {
    private static let documentation = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/problems.md")

    @Test(arguments: Problem.Code.allCases)
    func everyCodeIsDocumented(code: Problem.Code) throws {
        let path = Self.documentation.resolvingSymlinksInPath()
        let text = try String(contentsOf: path, encoding: .utf8)
        #expect(text.contains("`\(code.rawValue)`"))
    }

    @Test func theFirstCharacterIsTheStartOfTheSpan() {
        let problem = Problem(code: .wrongLength, severity: .error, message: "", span: 3..<5)
        #expect(problem.at == 3)
        #expect(Problem(code: .wrongLength, severity: .error, message: "").at == nil)
    }

    @Test func theNamesAreTheDesigns() {
        #expect(
            Symbology.allCases.map(\.rawValue).joined(separator: " ")
                == "ean-13 ean-8 upc-a upc-e itf-14 code-39 code-93 code-128 gs1-128 gs1-databar "
                + "gs1-composite codabar msi pdf417 data-matrix gs1-data-matrix qr-code gs1-qr-code "
                + "aztec dotcode gs1-dotcode")
        #expect(
            Barcode.Kind.allCases.map(\.rawValue).joined(separator: " ")
                == "gtin gs1 isbn book-details issn in-store coupon hibc pzn mh10 library url text")
        #expect(
            Region.allCases.map(\.rawValue).joined(separator: " ")
                == "SE NO FI EE LT LV DK DE GB US")
    }
}
