package import Barcodes
package import Catalog

extension DeclaredCatalog: ExplainableSource {
    /// Asks the catalog whatever is kept, and tells each step.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    ///   - observe: Is told of each step, in order.
    /// - Returns: What was found.
    package func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer {
        let texts = line.declaration.codes.texts(of: barcode) { observe(.form($0)) }
        guard !texts.isEmpty else { return LookupAnswer(.notFound) }
        let now = line.clock.now()
        observe(.kept(reading(kept(texts), at: now)))
        return await ask(texts, barcode, deadline: now + limit, observe: observe)
    }

    private func reading(_ kept: CachedAnswer?, at now: Moment) -> KeptReading {
        guard let kept else { return .nothing }
        let use: KeptReading.Use =
            switch rules.action(for: kept, at: now) {
            case .use: .fresh
            case .useAndAskAgain: .whileRevalidating
            case .ask: kept.isUsableOnError(at: now) ? .onError : .validation
            }
        return .answer(
            age: kept.age(at: now), isProduct: kept.match != nil, use: use,
            hasTag: kept.validator != nil)
    }
}

extension KeepingReading {
    /// What becomes of an answer; nil is kept only where the answer forbids it.
    init(_ kept: CachedAnswer?) {
        guard let kept else {
            self = .notKept(.noStore)
            return
        }
        self = .kept(
            isProduct: kept.match != nil, fresh: kept.fresh,
            whileRevalidating: kept.staleWhileRevalidate, ifError: kept.staleIfError,
            hasTag: kept.validator != nil)
    }

    /// What becomes of an answer that still holds.
    init(renewed kept: CachedAnswer?) {
        self = kept.map { .renewed(fresh: $0.fresh) } ?? .notKept(.noStore)
    }
}
