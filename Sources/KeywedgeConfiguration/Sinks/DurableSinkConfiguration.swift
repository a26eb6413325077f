package import Events
package import Sinks

/// What is common to sinks that read the journal at a cursor of their own.
package struct DurableSinkConfiguration: Equatable, Sendable {
    /// The name of its cursor; nil for the kind of the sink.
    package var name: String?
    /// Where a sink begins that the journal has never seen.
    package var start: SinkRunner.Start
    /// Which events it gets.
    package var filter: EventFilter

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - name: The name of its cursor.
    ///   - start: Where a sink begins that the journal has never seen.
    ///   - filter: Which events it gets.
    package init(
        name: String? = nil, start: SinkRunner.Start = .end, filter: EventFilter = EventFilter()
    ) {
        self.name = name
        self.start = start
        self.filter = filter
    }
}
