import TriageRun

/// Annotates two messages and returns the lines that need an answer today.
func urgentLines(creator: String? = nil) throws -> [String] {
    let annotator = try Annotator(creator: creator)
    let inbox = """
        {"id":"1","sender":{"handle":"@finn"},"text":"Someone is using your name to ask me for money, is that you?"}
        {"id":"2","sender":{"handle":"@ana"},"text":"Love the new video!"}
        """
    let annotated = annotator.annotate(inbox)
    return annotated.split(separator: "\n").map(String.init).filter { $0.contains(#""urgent":true"#) }
}
