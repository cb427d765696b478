/// The files of a folder or archive that a format wants, in passes: each pass reads its files in the given order from
/// a folder and in the order of the archive from an archive.
public struct Claim: Sendable {
    public var detection: Detection
    public var passes: [[String]]

    public init(detection: Detection, passes: [[String]]) {
        self.detection = detection
        self.passes = passes
    }
}
