import Foundation
import HTTPTypes
import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI
import WireText

/// The bytes that are sent to the server.
@Suite struct WireTests {
    /// The request as the server received it.
    private func received(
        _ make: @Sendable (Address) throws -> Request
    ) async throws -> StubRequest {
        try await StubServer.answering({ _ in .thing }) { server in
            let transport = try patientTransport()
            let request = try make(try Address(server.url))
            let output = await transport.output(for: request, within: .patience)
            #expect(output.response?.status == .ok)
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: [
        "a/b", "../../etc/passwd", "a?b=c&d#e", "100%", "%2F", "a b+c", "\r\nX-Evil: 1", "\u{0}",
        "🧉é", "e\u{301}", "\"'<>\\^`{|}", ";,:@!$()*=[]", "...", "~._-",
    ])
    func hostileTextArrivesAsItWas(text: String) async throws {
        let request = try await received { address in
            Request(
                try address.appending(segment: "v1").appending(segment: text),
                queries: [Query(text, text), Query("page", 2)])
        }
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(segments.count == 3)
        #expect(unicode(segments.last?.removingPercentEncoding) == unicode(text))
        let items = request.query.split(separator: "&")
        #expect(items.count == 2)
        #expect(
            items[0].split(separator: "=").map { unicode($0.removingPercentEncoding) } == [
                unicode(text), unicode(text),
            ])
        #expect(items[1] == "page=2")
        #expect(request.headerLines.allSatisfy { !$0.lowercased().hasPrefix("x-evil") })
    }

    /// The scalars of a text, because two texts can be equal although their scalars differ.
    private func unicode(_ text: String?) -> [Unicode.Scalar] { Array((text ?? "").unicodeScalars) }

    @Test func whatALinkHeldIsSentAsItWas() async throws {
        let request = try await received { address in
            Request(try Location("\(address)x%2fy;v=1?q=a+b%20c&cursor=abc==&&flag&r=%c3%A9#top"))
        }
        #expect(request.target == "/x%2fy;v=1?q=a+b%20c&cursor=abc==&flag&r=%c3%A9")
    }

    @Test func methodHeadersAndContentArriveAsTheyAre() async throws {
        let request = try await received { address in
            let shop = try #require(HTTPField.Name("X-Shop"))
            return Request(
                address, headers: [.accept: "application/json", shop: "Käse 3"],
                .put(.json(["id": 1, "name": "Mate"])))
        }
        #expect(request.method == "PUT")
        #expect(request["accept"] == "application/json")
        #expect(request["x-shop"] == "Käse 3")
        #expect(request["content-type"] == "application/json")
        #expect(request["content-length"] == "22")
        #expect(request.text == #"{"id":1,"name":"Mate"}"#)
    }

    @Test func anEmptyPostSaysThatItIsEmpty() async throws {
        let request = try await received { Request($0, .post(.empty)) }
        #expect(request["content-length"] == "0")
        #expect(request["content-type"] == nil)
    }

    @Test func aHeadHasNoContentWhateverItAnnounces() async throws {
        try await StubServer.run(script: { connection in
            _ = await connection.readRequest()
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
            await connection.waitForClose()
        }) { server in
            let transport = try patientTransport()
            let request = Request(try Address(server.url), .head)
            let response = await transport.output(for: request, within: .patience).response
            #expect(response?.headers[.contentLength] == "99999999999")
            #expect(response?.payload == [])
        }
    }

    @Test func aTransportThatNobodyHoldsClosesItsConnections() async throws {
        let (closings, closing) = AsyncStream<Void>.makeStream()
        try await StubServer.run(script: { connection in
            while await connection.readRequest() != nil { try await connection.write(.thing) }
            closing.yield()
        }) { server in
            let request = Request(try Address(server.url))
            let output = try await patientTransport().output(for: request, within: .patience)
            #expect(output.response?.status == .ok)
            for await _ in closings { break }
        }
    }

    @Test func aConnectionIsUsedAgain() async throws {
        try await StubServer.answering({ _ in .thing }) { server in
            let client = APIClient(transport: try patientTransport())
            for _ in 0..<5 { _ = try await client.send(Thing(at: server), within: .patience) }
            #expect(server.requests.count == 5)
            #expect(server.connections == 1)
        }
    }
}
