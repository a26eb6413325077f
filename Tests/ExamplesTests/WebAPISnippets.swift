import Foundation
import KeywedgeTestKit
import WebAPI

// The Swift code in docs/webapi.md, line by line; DocumentedSnippetsTests compares and runs it.

struct User: Decodable, Sendable { let login: String }

func plainGet(over transport: any Transport) async throws -> User {
    let github = APIClient(baseURL: "https://api.github.com", transport: transport)
    let user = try await github.send(Call<User>("/users/octocat"))
    return user
}

func withoutAnEndpoint(over transport: any Transport) async throws -> [Int] {
    let client = APIClient(transport: transport)
    let request = Request(
        try Address("https://shop.example/numbers"), queries: [Query("page", 2)],
        headers: [.acceptLanguage: "de"])
    let numbers = try await client.send(request, decoding: [Int].self)
    return numbers
}

struct NewIssue: Endpoint {
    struct Issue: Encodable, Sendable { let title: String, labels: [String] }
    struct Created: Decodable, Sendable { let number: Int }

    let repository: String
    let issue: Issue

    var call: Call<Created> {
        get throws(RequestError) {
            Call("/repos/octocat/\(repository)/issues", .post(try .json(issue)))
        }
    }
}

func authorized(by token: @escaping @Sendable () async -> String?) -> Interceptor {
    .request { request, _ in
        guard let token = await token() else { return .refuse("there is no token") }
        var request = request
        request.headers[.authorization] = "Bearer \(token)"
        return .send(request)
    }
}

struct Prices: Endpoint {
    var call: Call<[String: Decimal]> { Call("/prices.csv", parser: Self.parser) }

    static let parser = Parser(accept: "text/csv") { (response) throws(TransformError) in
        var prices: [String: Decimal] = [:]
        for line in try response.utf8Text().split(separator: "\n") {
            let fields = line.split(separator: ";")
            guard fields.count == 2, let price = Decimal(string: String(fields[1])) else {
                throw .rejected("the list has no price in the line \(line)")
            }
            prices[String(fields[0])] = price
        }
        return prices
    }
}

struct Refusal: Decodable { let code: String, field: String? }

func number(of issue: NewIssue, by client: APIClient) async throws -> Int {
    do {
        return try await client.send(issue).number
    } catch {
        if error.response?.status == .unprocessableContent {
            let refusal = try error.response?.decoded(as: Refusal.self)
            print("\(refusal?.field ?? "the issue") is refused: \(refusal?.code ?? "?")")
        }
        throw error
    }
}

struct Search: Endpoint {
    let words: String
    let language: String?

    var call: Call<Page<User>> {
        Call(
            "/search/users", queries: [Query("q", words), Query("language", language)],
            paging: Paging(.links, items: ["items"], total: .content(at: ["total_count"])))
    }
}

func logins(_ words: String, by github: APIClient) async throws {
    for try await user in github.items(of: Search(words: words, language: nil)) {
        print(user.login)
    }
}

func follow(_ service: APIClient) async throws {
    let events = try await service.stream(Call<Void>("/events"))
    for try await piece in events.body { print(piece.count) }
}

func aServiceOfTheTestsOwn() async throws {
    try await StubServer.answering({ request in .json(#"{"login":"octocat"}"#) }) { server in
        let github = APIClient(
            baseURL: BaseURL(server.url), transport: try AsyncHTTPClientTransport())
        let user = try await github.send(Call<User>("/users/octocat"))
        precondition(user.login == "octocat" && server.requests.map(\.target) == ["/users/octocat"])
    }
}
