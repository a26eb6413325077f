import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import WebAPI

/// The client to measure, and what it returns.
enum Workload: String {
    /// AsyncHTTPClient, with the content as bytes.
    case bare
    /// AsyncHTTPClient, with a model that Foundation's decoder reads.
    case bareTyped = "bare-typed"
    /// WebAPI, with the content as bytes.
    case output
    /// WebAPI, with a model.
    case typed

    struct Product: Decodable, Sendable {
        let id: Int
        let name: String
        let price: String
        let stock: Int
    }

    struct Lookup: Endpoint {
        let code: String
        var call: Call<Product> {
            Call("/products/\(code)", queries: [Query("fields", "id,name,price,stock")])
        }
    }

    /// Sends requests for `seconds`, `concurrency` of them at once; returns the requests a second.
    func rate(port: Int, seconds: Int, concurrency: Int) async throws -> Double {
        let one = try step(port: port)
        // Opens connections and loads code before the clock starts.
        for _ in 0..<200 { try await one() }
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    var count = 0
                    while clock.now < end {
                        try await one()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / (start.duration(to: clock.now) / .seconds(1))
    }

    private func step(port: Int) throws -> @Sendable () async throws -> Void {
        let url = "http://127.0.0.1:\(port)"
        switch self {
        case .bare, .bareTyped:
            let isTyped = self == .bareTyped
            let client = HTTPClient.shared
            return {
                var request = HTTPClientRequest(
                    url: "\(url)/products/4006381333931?fields=id,name,price,stock")
                request.headers.add(name: "Accept", value: "application/json")
                let response = try await client.execute(request, timeout: .seconds(10))
                var body = try await response.body.collect(upTo: 1 << 20)
                guard isTyped, let bytes = body.readBytes(length: body.readableBytes) else {
                    return
                }
                _ = try JSONDecoder().decode(Product.self, from: Data(bytes))
            }
        case .output, .typed:
            let client = APIClient(
                baseURL: BaseURL(url), transport: try AsyncHTTPClientTransport())
            let code = "4006381333931"
            guard self == .output else {
                return { _ = try await client.send(Lookup(code: code)) }
            }
            let address = try Address(url)
            return {
                let request = Request(
                    try address.appending("/products/\(code)"),
                    queries: [Query("fields", "id,name,price,stock")],
                    headers: [.accept: "application/json"])
                let output = await client.output(for: request)
                if let error = output.connectionError { throw error }
            }
        }
    }
}
