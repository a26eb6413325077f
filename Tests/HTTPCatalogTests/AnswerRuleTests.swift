import Catalog
import Testing
import WireText

@testable import HTTPCatalog

@Suite struct AnswerRuleTests {
    @Test(arguments: [
        (AnswerRule.Test.missing, "{}", true), (.missing, #"{"a":null}"#, false),
        (.empty, "{}", false), (.present, "{}", false), (.empty, #"{"a":null}"#, true),
        (.empty, #"{"a":""}"#, true),
        (.empty, #"{"a":[]}"#, true), (.empty, #"{"a":{}}"#, true), (.empty, #"{"a":0}"#, false),
        (.empty, #"{"a":false}"#, false), (.empty, #"{"a":" "}"#, false),
        (.present, #"{"a":[0]}"#, true), (.present, #"{"a":""}"#, false),
        (.prefix("No Product"), #"{"a":"no product with barcode 1"}"#, true),
        (.prefix("x"), #"{"a":1}"#, false),
        (.equals(.string("1")), #"{"a":"1"}"#, true), (.equals(.string("1")), #"{"a":1}"#, false),
        (.equals(.number(number("0"))), #"{"a":0}"#, true),
        (.equals(.number(number("0"))), #"{"a":false}"#, false),
        (.equals(.number(number("1.50"))), #"{"a":1.50}"#, true),
        (.equals(.number(number("1.50"))), #"{"a":1.5}"#, false),
        (.equals(.null), #"{"a":null}"#, true), (.equals(.null), "{}", false),
        (.equals(.bool(false)), #"{"a":false}"#, true),
        (.equals(.string("é")), #"{"a":"e\u0301"}"#, false),
    ])
    func aTestHoldsForWhatStandsThere(test: AnswerRule.Test, json: String, holds: Bool) throws {
        let pointer = try #require(JSONPointer("/a"))
        let document = try JSONReader.read(json)
        #expect(AnswerRule.at(pointer, test).holds(status: 200, document: document) == holds)
    }

    @Test func rulesCombine() throws {
        let status = try #require(JSONPointer("/status"))
        let rule = AnswerRule.any([
            .status([404...404, 410...410]),
            .all([.status([200...299]), .at(status, .equals(.number(Self.number("0"))))]),
        ])
        let zero = try JSONReader.read(#"{"status":0}"#)
        #expect(rule.holds(status: 404, document: nil))
        #expect(rule.holds(status: 410, document: zero))
        #expect(rule.holds(status: 200, document: zero))
        #expect(!rule.holds(status: 500, document: zero))
        #expect(!rule.holds(status: 200, document: try JSONReader.read(#"{"status":1}"#)))
    }

    @Test func noRuleAboutAPlaceHoldsForWhatIsNoJSON() throws {
        for test in [AnswerRule.Test.missing, .empty, .present, .equals(.null), .prefix("")] {
            #expect(!AnswerRule.at(JSONPointer(), test).holds(status: 200, document: nil))
        }
    }

    private static func number(_ literal: String) -> JSONNumber {
        JSONNumber(literal).unsafelyUnwrapped
    }
}
