import Foundation

/// How many of a large number of possible inputs the tests try.
package enum Thoroughness {
    /// Whether to try many or all inputs, however long that takes, because `KEYWEDGE_THOROUGH` is set.
    package static var isAskedFor: Bool {
        ProcessInfo.processInfo.environment["KEYWEDGE_THOROUGH"] != nil
    }
}
