extension ServerFeatures {
    /// What to ask for after the server refused; nil when the refusal names nothing that was asked, so that asking again
    /// would loop.
    ///
    /// Servers name the field and not the mode, so a refused schema gives way to a plain JSON object if that is still
    /// there, then to nothing. ``completionTokens`` names a field that has two names: refusal means the other one.
    public func after(refusal: ServerFeatures) -> ServerFeatures? {
        var less = self
        if refusal.contains(.completionTokens) { less.formSymmetricDifference(.completionTokens) }
        if refusal.contains(.sampling) { less.remove(.sampling) }
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
