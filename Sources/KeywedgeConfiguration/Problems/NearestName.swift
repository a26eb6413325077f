/// Finds the name that someone probably meant.
package enum NearestName {
    /// The maximum length of a name in bytes; comparing a longer one would take too long.
    static let longest = 64

    /// Returns the known name with the fewest edits from `name`; nil if every name needs more than `limit`.
    ///
    /// An edit adds, removes or replaces a letter, or swaps two neighbours; letter case does not matter. If several
    /// names are equally near, the first one wins.
    package static func nearest(to name: String, in known: [String], within limit: Int) -> String? {
        let written = Array(name.lowercased().utf8)
        guard written.count <= longest else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in known {
            let distance = distance(written, Array(candidate.lowercased().utf8))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// The optimal string alignment distance between two strings.
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
