// One import is enough to use this library.
@_exported public import HTTPTypes
@_exported public import WireText
