import Barcodes
import Synchronization

/// Puts products that other catalogs have into the embedded one, so that the register goes on alone.
///
/// It writes one at a time, once the lookup is answered. What the shop imported or changed itself is
/// never overwritten, and a product that is as it was is not written.
package final class WriteBack: Sendable {
    /// How many products wait to be written at the most; one more is written when it is next asked.
    static let capacity = 256

    private struct Waiting {
        let product: Product
        let catalog: String
    }

    private struct State {
        /// The first is being written.
        var waiting: [Waiting] = []
        /// Who waits until nothing is to be written.
        var finishing: [Int: CheckedContinuation<Void, Never>] = [:]
        var finishers = 0
        var reported: Set<String> = []
    }

    private let embedded: EmbeddedCatalog
    private let catalogs: Set<String>
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - embedded: The embedded catalog, opened for writing.
    ///   - catalogs: The names of the catalogs whose products are put there.
    ///   - report: Is told what goes wrong, in sentences, each once.
    package init(
        to embedded: EmbeddedCatalog, from catalogs: Set<String>,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.embedded = embedded
        self.catalogs = catalogs
        self.report = report
    }

    /// Takes what was found.
    func take(_ match: Match, for barcode: Barcode, from catalog: String) {
        // Of several products with one code it is for people to say which one is meant.
        guard catalogs.contains(catalog), !match.isAmbiguous else { return }
        var product = match.product
        let key = barcode.gtin?.text ?? barcode.text
        let codes = Set(product.codes.map { CodeKeys($0).first })
        if !barcode.lookupKeys.contains(where: { codes.contains($0.gtin?.text ?? $0.text ?? "") }) {
            // The price or weight of a piece is no code of its product.
            guard barcode.alternatives.isEmpty, barcode.inStore?.item == nil else { return }
            product.codes.append(key)
        }
        let waiting = Waiting(product: product, catalog: catalog)
        let isToStart = state.withLock { state in
            guard state.waiting.count < Self.capacity else { return false }
            state.waiting.append(waiting)
            return state.waiting.count == 1
        }
        if isToStart { Task(priority: .utility) { write() } }
    }

    /// Waits until nothing waits to be written.
    package func finish() async {
        await finish(within: nil, clock: ContinuousClock())
    }

    /// Waits until nothing waits to be written, or the time is up.
    ///
    /// - Parameters:
    ///   - limit: How long to wait; nil for as long as it takes.
    ///   - clock: What measures it.
    func finish(within limit: Duration?, clock: some Clock<Duration>) async {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                guard !state.waiting.isEmpty else { return nil }
                state.finishers += 1
                state.finishing[state.finishers] = continuation
                return state.finishers
            }
            guard let number else { return continuation.resume() }
            guard let limit else { return }
            Task {
                try? await clock.sleep(for: limit)
                state.withLock { $0.finishing.removeValue(forKey: number) }?.resume()
            }
        }
    }

    /// How many products wait to be written, with the one that is being written.
    var unwrittenCount: Int {
        state.withLock { $0.waiting.count }
    }

    private func write() {
        var next = state.withLock { $0.waiting.first }
        while let product = next {
            do {
                try embedded.writeBack(product.product, from: product.catalog)
            } catch {
                let reason = "A product of \(product.catalog) could not be written back: \(error)"
                let isNew = state.withLock { $0.reported.insert(reason).inserted }
                if isNew { report(reason) }
            }
            next = afterTheFirst()
        }
    }

    /// Removes the product that was written, and returns the one to write next.
    private func afterTheFirst() -> Waiting? {
        var finished: [CheckedContinuation<Void, Never>] = []
        let next: Waiting? = state.withLock { state in
            state.waiting.removeFirst()
            if let next = state.waiting.first { return next }
            finished = Array(state.finishing.values)
            state.finishing = [:]
            return nil
        }
        for continuation in finished { continuation.resume() }
        return next
    }
}
