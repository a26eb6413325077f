extension Barcode {
    /// Turns the problems' spans from bytes into characters (Unicode scalars).
    mutating func countCharacters() {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return }
        var characters: [Int] = []
        var count = -1
        for byte in text.utf8 {
            if byte & 0xC0 != 0x80 { count += 1 }
            characters.append(count)
        }
        characters.append(count + 1)
        let last = characters.count - 1
        problems = problems.map { problem in
            guard let span = problem.span else { return problem }
            let start = characters[min(span.lowerBound, last)]
            let end = characters[min(max(span.upperBound, 1), last + 1) - 1] + 1
            return Problem(
                code: problem.code, severity: problem.severity, message: problem.message,
                span: start..<max(start, min(end, count + 1)))
        }
    }
}
