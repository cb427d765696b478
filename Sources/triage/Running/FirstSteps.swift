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
                "offers fit better with a file about you (--creator), and questions are answered from a file of answers"
                + " (--faq): `triage init my-inbox` makes both to fill in"
        case (false, false):
            return "offers fit better with a file about you (--creator): `triage init my-inbox` makes one to fill in"
        case (true, true):
            return
                "questions are answered from a file of answers (--faq): `triage faq add` and `triage faq suggest` fill"
                + " one"
        }
    }
}
