import Testing

@testable import KeystrokesExample

@Suite struct KeystrokesTests {
    private func run(_ lines: [String]) throws -> [String] {
        var program = KeystrokesProgram()
        var printed: [String] = []
        for line in lines { if let text = try program.read(line) { printed.append(text) } }
        if let text = program.finish() { printed.append(text) }
        return printed
    }

    @Test func keysBecomeAScan() throws {
        #expect(
            try run([
                "1000 KEY_LEFTSHIFT down", "2000 KEY_A down", "3000 KEY_A up",
                "4000 KEY_LEFTSHIFT up", "5000 KEY_1 down", "6000 KEY_1 up",
                "7000 KEY_ENTER down", "8000 KEY_ENTER up",
            ]) == ["scan \"A1\", 3 keys"])
    }

    @Test func keysThatWereLostAreNoShorterScan() throws {
        let printed = try run([
            "1000 KEY_1 down", "2000 KEY_1 up", "3000 lost", "4000 KEY_2 down", "5000 KEY_2 up",
            "6000 KEY_ENTER down", "7000 KEY_ENTER up", "9000000 KEY_3 down",
        ])
        #expect(printed.first?.hasPrefix("rejected: torn") == true)
        #expect(!printed.contains { $0.hasPrefix("scan") })
    }

    @Test(arguments: ["", "x", "1 KEY_A", "1 KEY_NONE down", "1 KEY_A sideways", "KEY_A down 1"])
    func aLineThatSaysNothingIsNamed(line: String) {
        #expect(throws: BadLine.self) { try run([line]) }
    }
}
