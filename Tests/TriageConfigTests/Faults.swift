import TriageConfig
import TriageCore

/// The faults that a piece of work reports, as `code place`, in their order.
func faults(_ work: (FaultCollector) throws -> Void) -> [String] {
    let collector = FaultCollector()
    do {
        try work(collector)
    } catch let errors as TriageErrors {
        errors.all.forEach { collector.add($0) }
    } catch {
        return ["thrown: \(error)"]
    }
    return collector.faults.map { "\($0.code) \($0.at ?? "-")" }
}
