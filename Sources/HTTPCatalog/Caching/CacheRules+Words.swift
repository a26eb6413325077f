import WireText

extension CacheRules {
    /// What is kept when a code is asked for, and what a scan makes of it.
    func words(ahead kept: CachedAnswer?, at now: MonotonicTime) -> String {
        guard let kept else { return "nothing kept" }
        let what = kept.match != nil ? "a product" : "that there is no such product"
        let tag = kept.validator != nil ? "; it is asked for with its entity tag" : ""
        let meaning =
            switch action(for: kept, at: now) {
            case .use: "fresh: a scan is answered with it and nothing is sent; here it is asked"
            case .useAndAskAgain:
                "stale: a scan is answered with it, and it is asked for again afterwards"
            case .ask where kept.isUsableOnError(at: now):
                "stale: it stands in where asking fails"
            case .ask: "too old to be an answer"
            }
        return "kept \(kept.age(at: now).text) ago: \(what), \(meaning)\(tag)"
    }

    /// What becomes of an answer; nil is kept only where the answer forbids it.
    static func words(new kept: CachedAnswer?) -> String {
        guard let kept else { return notKept }
        let what = kept.match != nil ? "kept" : "kept that there is no such product"
        let (meanwhile, ifError) = (kept.staleWhileRevalidate, kept.staleIfError)
        let stale =
            meanwhile > .zero || ifError > .zero
            ? ", stale for \(meanwhile.text) more while it is asked for again and for "
                + "\(ifError.text) more where that fails"
            : ""
        return "\(what): fresh for \(kept.fresh.text)\(stale)"
            + (kept.validator != nil ? ", with its entity tag" : "")
    }

    /// What becomes of an answer that still holds.
    static func words(renewed kept: CachedAnswer?) -> String {
        kept.map { "what was kept still holds: fresh for \($0.fresh.text)" } ?? notKept
    }

    private static let notKept = "not kept: the answer says no-store"
}
