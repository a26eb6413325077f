/// Where a field lies in the reader's buffer.
struct CSVField: Equatable {
    /// The field's bytes, without its quotation marks and the blanks around it.
    var range: Range<Int>
    /// Whether doubled quotation marks in it stand for single ones.
    var hasDoubledQuotes = false
}
