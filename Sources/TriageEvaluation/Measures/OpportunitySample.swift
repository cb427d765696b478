/// Points that offers should have got, and did.
///
/// Only records whose gold label is an offer count. An offer that the method did not see is an answer of 0 points in
/// every part: that is what its user is shown, and leaving it out would reward missing the hard ones. `found` says how
/// many were seen, `mae_found` what the error is on those alone. MAE: mean of |gold − answer|. Spearman: Pearson's r of
/// the ranks, ties getting the mean of their ranks (Spearman 1904; Kendall, *Rank Correlation Methods*, chapter 3), as
/// scipy's `spearmanr`; not defined when one side does not vary.
struct OpportunitySample: Statistic {
    let names: [String]

    private var gold: [Double] = []
    private var predicted: [Double] = []
    /// |gold − answer| of the four parts.
    private var partErrors: [SIMD4<Double>] = []
    private var isFound: [Bool] = []
    private var clusters: [UInt32] = []
    // Records in the order of their gold points, and of their answers.
    private var goldOrder: [Int32] = []
    private var predictedOrder: [Int32] = []

    init() {
        names = ["mae", "spearman", "mae_found", "found"] + OpportunityPoints.parts.map { "mae.\($0)" }
    }

    mutating func add(gold points: OpportunityPoints, predicted answer: OpportunityPoints?, cluster: UInt32) {
        let given = answer ?? .none
        gold.append(points.total)
        predicted.append(given.total)
        var errors = SIMD4<Double>()
        for part in 0..<4 { errors[part] = abs(points[part] - given[part]) }
        partErrors.append(errors)
        isFound.append(answer != nil)
        clusters.append(cluster)
    }

    /// To be called once behind the last record.
    mutating func finish() {
        goldOrder = RankCorrelation.order(gold)
        predictedOrder = RankCorrelation.order(predicted)
    }

    var count: Int { gold.count }

    func values(weights: UnsafeBufferPointer<UInt16>?) -> [Double?] {
        var (total, found) = (0.0, 0.0)
        var (error, foundError) = (0.0, 0.0)
        var parts = SIMD4<Double>()
        let weight = clusters.map { cluster in weights.map { Double($0[Int(cluster)]) } ?? 1 }
        for i in gold.indices where weight[i] > 0 {
            let difference = abs(gold[i] - predicted[i]) * weight[i]
            total += weight[i]
            error += difference
            parts += partErrors[i] * weight[i]
            if isFound[i] {
                found += weight[i]
                foundError += difference
            }
        }
        let spearman = RankCorrelation.pearson(
            RankCorrelation.ranks(gold, order: goldOrder, weights: weight),
            RankCorrelation.ranks(predicted, order: predictedOrder, weights: weight), weights: weight)
        return [ratio(error, total), spearman, ratio(foundError, found), ratio(found, total)]
            + (0..<4).map { ratio(parts[$0], total) }
    }
}
