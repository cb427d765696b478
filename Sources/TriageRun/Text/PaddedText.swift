extension String {
    /// The text, padded on the right with blanks to a width.
    package func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
