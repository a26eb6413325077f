import Foundation
import Testing
import WebAPI

@Suite struct PayloadTests {
    @Test func aFormIsWrittenAsBrowsersDo() {
        let payload = Payload.form(["a b": "c&d=e", "ü~": "1\r\n2", "": "*-._"])
        #expect(
            String(decoding: payload.bytes, as: UTF8.self)
                == "a+b=c%26d%3De&%C3%BC%7E=1%0D%0A2&=%2A-._")
        #expect(payload.contentType == "application/x-www-form-urlencoded")
    }

    /// A value with Foundation's types, which the tests encode and decode.
    private struct Invoice: Codable, Equatable, Sendable {
        var at = Date(timeIntervalSince1970: 1_795_248_000)
        var amount = Decimal(1)
        var link: URL?
        var content = Data([0, 255])
        var weight = 0.1
        var count = UInt64.max
        var isPaid = true
        var lineItems = ["é\"/"]
        var note: String?
    }

    private func invoice(_ amount: String) throws -> Invoice {
        Invoice(
            amount: try #require(Decimal(string: amount)),
            link: URL(string: "https://shop.example/a?b=c"))
    }

    @Test func foundationsTypesAreWrittenAsServicesReadThem() throws {
        #expect(
            String(
                decoding: try Payload.json(invoice("3.49"), keys: .snakeCase).bytes, as: UTF8.self)
                == #"{"amount":3.49,"at":"2026-11-21T08:00:00Z","content":"AP8=","#
                + #""count":18446744073709551615,"is_paid":true,"line_items":["é\"/"],"#
                + #""link":"https://shop.example/a?b=c","weight":0.1}"#)
    }

    /// A `Decimal` is exact up to 38 digits; ``JSONNumber`` keeps more.
    @Test(arguments: [
        "0.1", "3.49", "-0.01", "1000000000000000000000000000000", "12345678901234567890",
        "0.30000000000000000001", "99999999999999999999999999999999999999",
        "1234567890.1234567890123456789012345678",
    ])
    func whatIsWrittenIsReadBackTheSame(amount: String) throws {
        for keys in [KeyStrategy.asWritten, .snakeCase] {
            var invoice = try invoice(amount)
            invoice.at = Date(timeIntervalSince1970: 1_795_248_000.25)
            let payload = try Payload.json(invoice, keys: keys)
            let text = String(decoding: payload.bytes, as: UTF8.self)
            #expect(text.contains("\"amount\":\(amount),"))
            #expect(text.contains("08:00:00.250000Z"))
            let response = Response(status: .ok, payload: payload.bytes)
            #expect(try response.decoded(as: Invoice.self, keys: keys) == invoice)
        }
    }

    @Test func whatJSONLacksIsNamedWithItsPlace() {
        struct Item: Encodable { let weights: [Double] }
        let error = #expect(throws: RequestError.self) {
            try Payload.json(["item": Item(weights: [1, .nan])])
        }
        #expect(error?.description.contains("nan") == true)
        #expect(error?.description.hasSuffix("/item/weights/1") == true)
        #expect(throws: RequestError.self) {
            try Payload.json([Date.distantPast.addingTimeInterval(-1e15)])
        }
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
