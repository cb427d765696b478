extension String {
    /// The text with blanks behind it up to a width.
    package func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
