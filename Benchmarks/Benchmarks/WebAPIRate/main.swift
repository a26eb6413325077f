import Glibc

// A small server, and clients that ask it as often as they can: AsyncHTTPClient by itself, and
// WebAPI on top of it. webapi-ratio runs them side by side.
//
//   WebAPIRate serve                                  prints its port, serves until stdin ends
//   WebAPIRate KIND PORT SECONDS CONCURRENCY          prints requests a second
//
// KIND is bare or output (the content as bytes), bare-typed or typed (a model of it).

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "serve":
    try await Server.run()
case let kind?:
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 3, let workload = Workload(rawValue: kind) else { exit(2) }
    let rate = try await workload.rate(
        port: numbers[0], seconds: numbers[1], concurrency: numbers[2])
    print(Int(rate))
case nil: exit(2)
}
