import EventService
import HTTPService
import Testing

/// Tests who may `POST /v1/reload`, and the answers.
@Suite(.timeLimit(.minutes(10))) struct ReloadTests {
    /// Answers every request with this result.
    private func answer(
        _ service: Service, _ result: Result<[ReloadedPart], ProblemDetails>
    ) -> Task<Void, Never> {
        Task { for await answer in service.server.reloads.all { answer(result) } }
    }

    @Test func theAnswerSaysWhatIsOtherwise() async throws {
        let service = try Service()
        let part = ReloadedPart(section: "events", name: "erp", change: "added")
        let answering = answer(service, .success([part]))
        #expect(try await EventClient(socket: service.socket).reload() == [part])
        let text = try await service.answer("POST", "/v1/reload")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(
            text.hasSuffix(#"{"changes":[{"section":"events","name":"erp","change":"added"}]}"#))
        service.server.reloads.finish()
        await answering.value
        try await service.stop()
    }

    @Test(arguments: [
        (ProblemDetails.wrongConfiguration(["k.yaml:3: wrong", "k.yaml:4: wrong too"]), "422"),
        (ProblemDetails.needsRestart(["listen.http"]), "409"),
    ])
    func aRefusalSaysAllThatIsWrong(refusal: ProblemDetails, status: String) async throws {
        let service = try Service()
        let answering = answer(service, .failure(refusal))
        let error = await #expect(throws: EventClientError.self) {
            try await EventClient(socket: service.socket).reload()
        }
        #expect(error?.problems == refusal.problems)
        #expect(error?.description == "The daemon refuses: \(status), \(refusal.detail)")
        service.server.reloads.finish()
        await answering.value
        try await service.stop()
    }

    @Test func noPageAndNoOtherMethodReloads() async throws {
        let service = try Service(http: "127.0.0.1:0", origins: ["https://pos.example"])
        let port = try await service.port()
        let host = "localhost:\(port)"
        let page = try await service.answer(
            "POST", "/v1/reload", ["Origin: https://pos.example"], host: host, on: port)
        #expect(page.hasPrefix("HTTP/1.1 403 "))
        let program = try await service.answer("POST", "/v1/reload", [], host: host, on: port)
        #expect(program.hasPrefix("HTTP/1.1 403 "))
        for method in ["GET", "PUT", "DELETE", "TRACE", "PROPFIND"] {
            let answer = try await service.answer(method, "/v1/reload")
            #expect(answer.hasPrefix("HTTP/1.1 405 "))
        }
        try await service.stop()
    }

    @Test func aDaemonThatEndsSaysSo() async throws {
        let service = try Service()
        service.server.reloads.finish()
        let answer = try await service.answer("POST", "/v1/reload")
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        try await service.stop()
    }
}
