import Foundation
import HTTPTypes
import Testing
import WebAPI
import WireText

@Suite struct ModelDecoderTests {
    private struct Shop: Decodable, Equatable {
        enum Kind: String, Decodable, CaseIterable { case food, drinks }
        struct Item: Decodable, Equatable {
            let id: UInt8
            let price: JSONNumber
            let weight: Double?
            let tags: [String]?
            let kind: Kind?
        }
        let items: [Item]
        let open: [String: Bool]?
        let raw: JSONValue?
    }

    private func decoded<Model: Decodable>(
        _ text: String, as type: Model.Type = Shop.self, at pointer: JSONPointer = JSONPointer()
    ) throws -> Model {
        try Response(status: .init(code: 200), payload: Array(text.utf8)).decoded(
            as: type, at: pointer)
    }

    private func message<Model: Decodable>(
        _ text: String, as type: Model.Type, at pointer: String = ""
    ) throws -> String? {
        let pointer = try #require(JSONPointer(pointer))
        return #expect(throws: TransformError.self) {
            try decoded(text, as: type, at: pointer)
        }?.description
    }

    private struct Dated: Decodable, Equatable {
        let at: Date?
    }

    @Test(
        arguments: [
            (#"{"at":"2026-11-21T08:00:00Z"}"#, 1_795_248_000.0),
            (#"{"at":"2026-11-21T09:00:00.5+01:00"}"#, 1_795_248_000.5), (#"{"at":null}"#, nil),
        ] as [(String, Double?)])
    func aDateIsReadAsISO8601(text: String, seconds: Double?) throws {
        let expected = Dated(at: seconds.map { Date(timeIntervalSince1970: $0) })
        #expect(try decoded(text, as: Dated.self) == expected)
    }

    @Test(arguments: [#""2026-11-21""#, #""2026-02-30T08:00:00Z""#, "1795248000", "true"])
    func aDateOfAnotherFormSaysWhatIsExpected(value: String) throws {
        #expect(
            try message("{\"at\":\(value)}", as: Dated.self)?.hasSuffix(
                " at /at, expected a time such as 2026-11-21T08:00:00Z") == true)
    }

    @Test func aModelIsMadeDigitForDigit() throws {
        let shop: Shop = try decoded(
            #"{"items":[{"id":255,"price":1.10,"weight":2,"tags":["a"],"kind":"food"},"#
                + #"{"id":0,"price":3,"weight":null}],"open":{"mon":true},"raw":{"x":[1e400]}}"#)
        #expect(shop.items.map(\.price.literal) == ["1.10", "3"])
        #expect(shop.items[0].weight == 2 && shop.items[1].weight == nil)
        #expect(shop.items[0].kind == .food && shop.items[1].tags == nil)
        #expect(shop.open == ["mon": true])
        #expect(shop.raw.map { JSONWriter.text(of: $0) } == #"{"x":[1e400]}"#)
    }

    @Test(arguments: [
        ("{}", #"no key "items" at its top"#),
        (#"{"items":{}}"#, "an object at /items, expected a list"),
        (#"{"items":[7]}"#, "the number 7 at /items/0, expected an object"),
        (#"{"items":[{"id":1,"price":1},{"price":1}]}"#, #"no key "id" at /items/1"#),
        (
            #"{"items":[{"id":256,"price":1}]}"#,
            "the number 256 at /items/0/id, expected an integer from 0 to 255"
        ),
        (
            #"{"items":[{"id":-1,"price":1}]}"#,
            "the number -1 at /items/0/id, expected an integer from 0 to 255"
        ),
        (
            #"{"items":[{"id":1.5,"price":1}]}"#,
            "the number 1.5 at /items/0/id, expected an integer from 0 to 255"
        ),
        (#"{"items":[{"id":true,"price":1}]}"#, "true at /items/0/id, expected an integer"),
        (
            #"{"items":[{"id":1,"price":"1.10"}]}"#,
            #"the text "1.10" at /items/0/price, expected a number"#
        ),
        (
            #"{"items":[{"id":1,"price":1,"weight":1e400}]}"#,
            "the number 1e400 at /items/0/weight, expected a smaller number"
        ),
        (
            #"{"items":[{"id":1,"price":1,"tags":["a",null]}]}"#,
            "null at /items/0/tags/1, expected a text"
        ),
        (
            #"{"items":[{"id":1,"price":1,"kind":"toys\u001b"}]}"#,
            #"the text "toys\x1b" at /items/0/kind, expected a value of Kind"#
        ),
        (
            #"{"items":[],"open":{"a/b~c\n":1}}"#,
            #"the number 1 at /open/a~1b~0c\n, expected true or false"#
        ),
    ])
    func whatDoesNotFitIsNamedWithItsPlace(text: String, expected: String) throws {
        #expect(try message(text, as: Shop.self) == "the answer has \(expected)")
    }

    /// Errors name keys as the JSON has them, even if a strategy gives the properties other names.
    @Test func keysInSnakeCaseAreNamedAsTheyAre() throws {
        struct Item: Decodable { let fullName: String, unitPrices: [UInt8] }
        for (text, expected) in [
            (#"{"full_name":"a"}"#, #"the answer has no key "unit_prices" at its top"#),
            (
                #"{"full_name":7,"unit_prices":[]}"#,
                "the answer has the number 7 at /full_name, expected a text"
            ),
            (
                #"{"full_name":"a","unit_prices":[1,300,300]}"#,
                "the answer has the number 300 at /unit_prices/1, expected an integer from 0 to 255"
            ),
        ] {
            let response = Response(status: .ok, payload: Array(text.utf8))
            let error = #expect(throws: TransformError.self) {
                try response.decoded(as: Item.self, keys: .snakeCase)
            }
            #expect(error?.description == expected)
        }
    }

    @Test func aModelCanStartFurtherDown() throws {
        let text = #"{"data":[{"id":5,"price":1}]}"#
        let pointer = try #require(JSONPointer("/data/0"))
        #expect(try decoded(text, as: Shop.Item.self, at: pointer).id == 5)
        #expect(
            try message(text, as: Shop.Item.self, at: "/date/0")
                == #"the answer has no key "date" at its top"#)
        #expect(
            try message(text, as: Shop.Item.self, at: "/data/1")
                == "the answer has no element 1 at /data")
        #expect(
            try message(text, as: Shop.Item.self, at: "/data/0/id/x")
                == "the answer has the number 5 at /data/0/id, expected an object")
        #expect(
            try message(#"{"data":[{"id":"x"}]}"#, as: Shop.Item.self, at: "/data/0")
                == #"the answer has the text "x" at /data/0/id, expected an integer"#)
    }

    @Test func aModelsOwnRulesAreToldToo() throws {
        struct Even: Decodable {
            struct Odd: Error, CustomStringConvertible { let description = "odd" }
            init(from decoder: any Decoder) throws {
                let number = try decoder.singleValueContainer().decode(Int.self)
                guard number.isMultiple(of: 2) else { throw Odd() }
            }
        }
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int.self)
                let inner = try list.nestedContainer(keyedBy: Key.self)
                _ = try inner.decode(Even.self, forKey: .even)
                throw DecodingError.dataCorruptedError(
                    forKey: .even, in: inner, debugDescription: "no")
            }
            enum Key: CodingKey { case even }
        }
        #expect(
            try message("[3]", as: [Even].self)
                == "the answer has a list of 1 at its top, expected a value of Array<Even>: odd")
        #expect(
            try message(#"[1,{"even":2}]"#, as: Strict.self)
                == "the answer has the number 2 at /1/even, expected a valid value: no")
        #expect(try message("[1]", as: Strict.self) == "the answer has no element 1 at its top")
    }

    @Test func aModelsOwnCodeRefusesAValueWithItsPlace() throws {
        struct Even: Decodable {
            init(from decoder: any Decoder) throws {
                let number = try decoder.singleValueContainer().decode(Int.self)
                guard number.isMultiple(of: 2) else {
                    throw TransformError.unexpectedValue(in: decoder, expected: "an even number")
                }
            }
        }
        #expect(
            try message(#"{"counts":[2,3]}"#, as: [String: [Even]].self)
                == "the answer has the number 3 at /counts/1, expected an even number")
    }

    @Test func everyNumberThatFitsIsReadAndNoOther() throws {
        #expect(try decoded("-128", as: Int8.self) == -128)
        #expect(try decoded("65535", as: UInt16.self) == 65535)
        #expect(try decoded("18446744073709551615", as: UInt64.self) == .max)
        #expect(try decoded("-2147483648", as: Int32.self) == .min)
        #expect(try decoded("9007199254740993", as: Int64.self) == 9_007_199_254_740_993)
        #expect(try decoded("0.5", as: Float.self) == 0.5)
        for (text, type) in [
            ("18446744073709551616", UInt.self), ("32768", Int16.self), ("4294967296", UInt32.self),
            ("1e39", Float.self),
        ] as [(String, any Decodable.Type)] {
            #expect(throws: TransformError.self) { _ = try decoded(text, as: type) as Any }
        }
    }
}
