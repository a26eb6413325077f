/// Finds the name that someone probably meant.
package enum NearestName {
    /// Returns the known name that needs the fewest edits; nil if every name needs more than `limit`.
    ///
    /// An edit adds, removes, replaces or moves a letter; letter case does not matter. If several names are equally
    /// near, the first one wins.
    package static func nearest(to name: String, in known: [String], within limit: Int) -> String? {
        let written = Array(name.lowercased().utf8)
        // Comparing a longer name would take too long.
        guard written.count <= 64 else { return nil }
        let distances = known.map { name in
            let edits = Array(name.lowercased().utf8).difference(from: written)
            return max(edits.insertions.count, edits.removals.count)
        }
        guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }),
            distances[best] <= limit
        else { return nil }
        return known[best]
    }

    /// Returns ` (did you mean NAME?)`, or an empty string if no known name is near.
    static func hint(for name: String, in known: [String], within limit: Int? = nil) -> String {
        let near = nearest(to: name, in: known, within: limit ?? max(1, name.count / 3))
        return near.map { " (did you mean \($0)?)" } ?? ""
    }
}
