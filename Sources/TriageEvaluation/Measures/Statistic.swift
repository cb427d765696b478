/// Numbers that can be computed again on a resample of conversations.
protocol Statistic {
    /// Of the numbers, in order.
    var names: [String] { get }

    /// The numbers; nil where one is not defined.
    ///
    /// - Parameter weights: how often each cluster was drawn; nil: every record once.
    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?]
}

/// `numerator / denominator`; nil when the denominator is 0.
func ratio(_ numerator: Double, _ denominator: Double) -> Double? {
    denominator == 0 ? nil : numerator / denominator
}

func ratio(_ numerator: Int, _ denominator: Int) -> Double? { ratio(Double(numerator), Double(denominator)) }
