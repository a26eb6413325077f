package import Barcodes
package import Catalog
import Synchronization

/// A source that can tell what it does.
package protocol ExplainableSource: ProductSource {
    /// Looks up the product a barcode names, and tells each step.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    ///   - observe: Is told of each step, in order.
    /// - Returns: What was found; never throws.
    func explain(
        _ barcode: Barcode, within limit: Duration, observe: @escaping LookupStep.Observer
    ) async -> LookupAnswer
}

extension CatalogSources {
    /// Looks up the product a barcode names, and tells how.
    ///
    /// A catalog is asked even where a fresh answer is kept. Nothing is written: neither to the file
    /// of answers nor back to the embedded catalog.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: Every source and what happened there, and the result.
    package func explain(_ barcode: Barcode) async -> Explanation {
        let passed = timer()
        var progress = LookupProgress()
        var explained: [Explanation.Source] = []
        for source in sources {
            guard progress.result.match == nil else {
                explained.append(Explanation.Source(name: source.name, steps: [], answer: nil))
                continue
            }
            let steps = StepList()
            let limit = deadline - passed()
            let answer: LookupAnswer
            if let source = source as? any ExplainableSource {
                answer = await source.explain(barcode, within: limit) { steps.add($0) }
            } else {
                answer = await source.lookup(barcode, within: limit)
            }
            _ = progress.take(answer, from: source.name)
            explained.append(
                Explanation.Source(name: source.name, steps: steps.all, answer: answer))
        }
        return Explanation(
            text: barcode.text, sources: explained, result: progress.result, took: passed())
    }
}

/// Collects steps from whatever task they come.
final class StepList: Sendable {
    private let steps = Mutex<[LookupStep]>([])

    /// All so far, in order.
    var all: [LookupStep] { steps.withLock { $0 } }

    /// Adds one.
    func add(_ step: LookupStep) { steps.withLock { $0.append(step) } }
}
