/// Where lines come from, one at a time.
public protocol LineSource {
    /// Gives the next line.
    ///
    /// - Returns: The line without its end; `nil` when there are no more.
    /// - Throws: What kept it from being read.
    mutating func next() throws -> [UInt8]?
}
