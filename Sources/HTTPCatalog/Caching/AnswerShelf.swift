/// The answers of one catalog in a store.
struct AnswerShelf: Sendable {
    private let store: AnswerStore
    /// The catalog's name, and how it is asked and read: answers of an earlier declaration are not
    /// found.
    private let key: String

    /// Finds the answers of a catalog.
    ///
    /// - Parameters:
    ///   - declaration: What there is to know about the catalog.
    ///   - store: Where they are.
    init(of declaration: HTTPCatalogDeclaration, in store: AnswerStore) {
        self.store = store
        key = declaration.name + "#" + declaration.fingerprint
    }

    /// What is kept for a code.
    func answer(for codes: [String], at now: Moment) -> CachedAnswer? {
        store.answer(catalog: key, codes: codes, at: now)
    }

    /// Keeps an answer.
    func save(_ answer: CachedAnswer, for codes: [String], at now: Moment) {
        store.save(answer, catalog: key, codes: codes, at: now)
    }

    /// Forgets what is kept for a code.
    func remove(_ codes: [String]) {
        store.remove(catalog: key, codes: codes)
    }
}
