/// Finds the name that was probably meant.
enum NearestName {
    /// The longest name that is compared, in bytes, so that the work stays small.
    static let longest = 64

    /// The known name that takes the fewest changes to reach.
    ///
    /// A change is a letter more, less or other, or two neighbours swapped; case does not count.
    ///
    /// - Parameters:
    ///   - name: The name that was written.
    ///   - known: The names there are; of equally near ones the first is taken.
    ///   - limit: The most changes that still count as near.
    /// - Returns: The nearest name, or nil where none is near.
    static func nearest(to name: String, in known: [String], within limit: Int) -> String? {
        let written = Array(name.lowercased().utf8)
        guard written.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = distance(written, Array(candidate.lowercased().utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The optimal string alignment distance of two texts.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var cost = min(
                    last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

/// Lists of words in messages.
enum Words {
    /// `a, b or c`.
    static func either(_ words: [String]) -> String { joined(words, "or") }

    /// `a, b and c`.
    static func all(_ words: [String]) -> String { joined(words, "and") }

    private static func joined(_ words: [String], _ last: String) -> String {
        guard let end = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) " + end
    }
}
