extension ServerFeatures {
    /// What to ask for after the server refused; nil when the refusal names nothing that was asked, so that asking again
    /// would loop.
    ///
    /// Servers name the field and not the mode, so a refused schema gives way to a plain JSON object if that is still
    /// there, then to nothing. ``completionTokens`` names a field that has two names: refusal means the other one.
    /// ``foldedSystem`` and ``seedless`` name what stands in for a turn and a field that were refused.
    public func after(refusal: ServerFeatures) -> ServerFeatures? {
        var less = self
        if refusal.contains(.completionTokens) { less.formSymmetricDifference(.completionTokens) }
        if refusal.contains(.sampling) { less.remove(.sampling) }
        if refusal.contains(.reasoning) { less.remove(.reasoning) }
        if refusal.contains(.foldedSystem) { less.insert(.foldedSystem) }
        if refusal.contains(.seedless), contains(.sampling) { less.insert(.seedless) }
        if !refusal.isDisjoint(with: [.schema, .jsonObject]) {
            if refusal.contains(.jsonObject), contains(.jsonObject) {
                less.remove(.jsonObject)
            } else if contains(.schema) {
                less.remove(.schema)
            } else {
                less.remove(.jsonObject)
            }
        }
        return less == self ? nil : less
    }
}

extension ServerFeatures {
    /// What was refused, as people know it from their provider's reference.
    public var refusedNames: [String] {
        var names: [String] = []
        if !isDisjoint(with: [.schema, .jsonObject]) { names.append("a schema for answers") }
        if contains(.completionTokens) { names.append("the name of the cap on output") }
        if contains(.sampling) { names.append("temperature") }
        if contains(.seedless) { names.append("seed") }
        if contains(.reasoning) { names.append("reasoning effort") }
        if contains(.foldedSystem) { names.append("a turn for instructions") }
        return names
    }
}
