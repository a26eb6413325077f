import Testing
import WebAPI
import WireText

@Suite struct PayloadTests {
    @Test func aFormIsWrittenAsBrowsersDo() {
        let payload = Payload.form(["a b": "c&d=e", "ü~": "1\r\n2", "": "*-._"])
        #expect(
            String(decoding: payload.bytes, as: UTF8.self)
                == "a+b=c%26d%3De&%C3%BC%7E=1%0D%0A2&=%2A-._")
        #expect(payload.contentType == "application/x-www-form-urlencoded")
    }

    @Test func aModelIsWrittenInItsOrder() throws {
        struct Order: Encodable {
            struct Line: Encodable {
                let code: String
                let count: UInt64
                let price: JSONNumber
            }
            let id: Int
            let lines: [Line]
            let note: String?
            let isPaid: Bool
            let weight: Double
            let extra: JSONValue
        }
        let order = Order(
            id: -1,
            lines: [.init(code: "é\"", count: .max, price: try #require(JSONNumber("1.10")))],
            note: nil, isPaid: true, weight: 0.1, extra: ["a": [.null]])
        #expect(
            String(decoding: try Payload.json(order).bytes, as: UTF8.self)
                == #"{"id":-1,"lines":[{"code":"é\"","count":18446744073709551615,"price":1.10}],"#
                + #""isPaid":true,"weight":0.1,"extra":{"a":[null]}}"#)
    }

    @Test func whatJSONLacksIsNamedWithItsPlace() {
        struct Item: Encodable { let weights: [Double] }
        let error = #expect(throws: RequestError.self) {
            try Payload.json(["item": Item(weights: [1, .nan])])
        }
        #expect(
            error?.description
                == "the request's content cannot be written: JSON has no nan at /item/weights/1")
    }

    @Test func aBareValueIsWrittenToo() throws {
        #expect(try Payload.json("a").bytes == Array("\"a\"".utf8))
        #expect(try Payload.json([1, 2]).bytes == Array("[1,2]".utf8))
        #expect(try Payload.json([String: Int]()).bytes == Array("{}".utf8))
        #expect(Payload.json(.null).bytes == Array("null".utf8))
    }

    @Test func onlySizeAndTypeAreShown() {
        let payload = Payload.text("s3cret")
        var dumped = ""
        dump(payload, to: &dumped)
        #expect("\(payload)" == "6 bytes of text/plain; charset=utf-8")
        #expect(!dumped.contains("s3cret"))
    }
}
