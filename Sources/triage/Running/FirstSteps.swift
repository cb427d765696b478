import TriageCore

/// What somebody who begins may not know yet.
enum FirstSteps {
    /// Which files would make the answers better; nil: they are there.
    static func hint(_ loaded: LoadedRun) -> String? {
        let profile = loaded.profile
        let hasCreator = !(profile.handles.isEmpty && profile.niches.isEmpty && profile.name.isEmpty)
        switch (hasCreator, loaded.library.entries.isEmpty) {
        case (true, false): return nil
        case (false, true):
            return
                "a creator profile (--creator) improves offer scores, and an FAQ library (--faq) answers questions:"
                + " `triage init my-inbox` creates both for you to fill in"
        case (false, false):
            return "a creator profile (--creator) improves offer scores: `triage init my-inbox` creates one"
        case (true, true):
            return
                "an FAQ library (--faq) answers questions: `triage faq add` and `triage faq suggest` help you"
                + " write one"
        }
    }
}
