/// Runs a text through the matcher that messages go through.
public protocol SignalProbe {
    /// Names of the signals that fire in a text.
    func signals(firing text: String) -> Set<String>
}
