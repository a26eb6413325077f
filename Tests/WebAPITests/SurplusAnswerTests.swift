import KeywedgeTestKit
import TestWaiting
import Testing
import WebAPI

/// A server that sends more answers than it was asked for, over a real connection: each request
/// still gets its own answer or none.
@Suite(.timeLimit(.minutes(10))) struct SurplusAnswerTests {
    private static let requests = 12

    /// What comes behind an answer.
    enum Surplus: String, CaseIterable, Sendable {
        case whole = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        case lineBreak = "\r\n"
        case byte = "H"
        case partOfAHead = "HTTP/1.1 200 OK\r\nContent-Le"
        case partOfAContent = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nev"
        case informational = "HTTP/1.1 103 Early Hints\r\n\r\n"
        case timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
        case noHTTP = "<html>"
    }

    /// How an answer tells where it ends.
    enum End: CaseIterable, Sendable {
        case length, chunks
        /// A length, behind a head of 1xx that tells another.
        case lengthBehindAnother
    }

    private static func answer(_ request: StubRequest, _ end: End = .length) -> String {
        let count = request.path.utf8.count
        return switch end {
        case .length:
            "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(request.path)"
        case .lengthBehindAnother:
            "HTTP/1.1 103 Early Hints\r\nContent-Length: 10000\r\n\r\n" + answer(request)
        case .chunks:
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(count, radix: 16))\r\n\(request.path)\r\n0\r\n\r\n"
        }
    }

    /// Asks for paths, one after the other or all at once, and expects each one's own answer.
    private func ask(_ server: StubServer, connections: Int, atOnce: Bool = false) async throws {
        let transport = try patientTransport(connections: connections)
        let ask: @Sendable (Int) async throws -> Void = { number in
            let request = Request(try Address("\(server.url)/\(number)"))
            let output = await transport.output(for: request, within: .patience)
            #expect(output.response?.text == "/\(number)", "\(output)")
        }
        guard atOnce else {
            for number in 0..<Self.requests { try await ask(number) }
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.requests { group.addTask { try await ask(number) } }
            try await group.waitForAll()
        }
    }

    @Test(arguments: Surplus.allCases, End.allCases)
    func whatIsGluedToAnAnswerIsNobodys(surplus: Surplus, end: End) async throws {
        try await expectNothing(of: surplus, behind: end, atOnce: false)
    }

    @Test(arguments: Surplus.allCases)
    func whatIsGluedToOneOfManyAnswersIsNobodys(surplus: Surplus) async throws {
        try await expectNothing(of: surplus, behind: .length, atOnce: true)
    }

    private func expectNothing(of surplus: Surplus, behind end: End, atOnce: Bool) async throws {
        try await StubServer.run(script: { connection in
            guard let request = await connection.readRequest() else { return }
            try await connection.write(Self.answer(request, end) + surplus.rawValue)
            // Whoever goes on with this connection gets what is left of the surplus, and then an
            // answer that is his.
            guard let next = await connection.readRequest() else { return }
            let whole = Surplus.whole.rawValue
            let isBeginning = whole.hasPrefix(surplus.rawValue)
            let rest = isBeginning ? whole.dropFirst(surplus.rawValue.count) : ""
            try await connection.write(rest + Self.answer(next))
            await connection.waitForClose()
        }) { server in
            try await ask(server, connections: 2, atOnce: atOnce)
            #expect(server.connections == Self.requests)
        }
    }

    @Test(arguments: Surplus.allCases)
    func whatComesWhileNothingIsAskedEndsTheConnection(surplus: Surplus) async throws {
        let (ends, ended) = AsyncStream<Void>.makeStream()
        try await StubServer.run(script: { connection in
            guard let request = await connection.readRequest() else { return }
            try await connection.write(Self.answer(request))
            try await connection.write(surplus.rawValue)
            await connection.waitForClose()
            ended.yield()
        }) { server in
            let transport = try patientTransport()
            var iterator = ends.makeAsyncIterator()
            for number in 0..<5 {
                let request = Request(try Address("\(server.url)/\(number)"))
                let output = await transport.output(for: request, within: .patience)
                #expect(output.response?.text == "/\(number)", "\(output)")
                // It is ended although nothing more is asked.
                await iterator.next()
            }
            #expect(server.connections == 5)
        }
    }

    @Test(arguments: End.allCases)
    func aConnectionWithoutASurplusIsUsedAgain(end: End) async throws {
        try await StubServer.run(script: { connection in
            while let request = await connection.readRequest() {
                try await connection.write(Self.answer(request, end))
            }
        }) { server in
            try await ask(server, connections: 1)
            #expect(server.connections == 1)
        }
    }

    @Test func overTLSToo() async throws {
        let authority = try TestAuthority()
        var tls = TLSOptions()
        tls.trust = .only([authority.certificate])
        let stub = StubTLS(try authority.certificate(for: ["127.0.0.1"]))
        for surplus in ["", "HTTP/1.1 200 OK\r\nContent-Le"] {
            try await StubServer.run(
                tls: stub,
                script: { connection in
                    while let request = await connection.readRequest() {
                        try await connection.write(Self.answer(request) + surplus)
                    }
                }
            ) { [tls] server in
                let transport = try patientTransport(tls: tls)
                for number in 0..<5 {
                    let request = Request(try Address("\(server.url)/\(number)"))
                    let output = await transport.output(for: request, within: .patience)
                    #expect(output.response?.text == "/\(number)", "\(output)")
                }
                // Without a surplus TLS's own records, such as tickets, end no connection.
                #expect(server.connections == (surplus.isEmpty ? 1 : 5))
            }
        }
    }
}
