import Foundation

/// How much of a large space the tests walk through.
package enum Thoroughness {
    /// Whether somebody has time for all of it: `KEYWEDGE_THOROUGH` is set.
    package static var isAskedFor: Bool {
        ProcessInfo.processInfo.environment["KEYWEDGE_THOROUGH"] != nil
    }
}
