/// Functions that suggest a known name in place of a mistyped one.
package enum NearestName {
    /// Returns the known name that is the fewest edits away from `name`; nil if that is more than `limit` edits.
    ///
    /// An edit inserts, deletes, replaces or moves a letter. Letter case is ignored. If several names are equally near,
    /// the first of them is returned. The default limit is a third of the letters, and at least 1.
    package static func nearest(to name: String, in known: [String], limit: Int?) -> String? {
        let written = Array(name.lowercased().utf8)
        // Comparing longer names would take too long.
        guard written.count <= 64 else { return nil }
        let distances = known.map { name in
            let edits = Array(name.lowercased().utf8).difference(from: written)
            return max(edits.insertions.count, edits.removals.count)
        }
        guard let best = distances.indices.min(by: { distances[$0] < distances[$1] }),
            distances[best] <= limit ?? max(1, name.count / 3)
        else { return nil }
        return known[best]
    }

    /// Returns ` (did you mean NAME?)`, or an empty string if no known name is similar.
    static func hint(for name: String, in known: [String], within limit: Int? = nil) -> String {
        let near = nearest(to: name, in: known, limit: limit)
        return near.map { " (did you mean \($0)?)" } ?? ""
    }
}
