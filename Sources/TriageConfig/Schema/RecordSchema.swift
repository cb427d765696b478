/// JSON Schemas (draft 2020-12) of what goes in and what comes out.
public enum RecordSchema {
    /// Version of the `triage` object; ``output`` is closed, so that every new member raises it.
    public static let version = 1
}

// The texts stand in files of their own: `OutputSchema.swift`, `InputSchema.swift`.
