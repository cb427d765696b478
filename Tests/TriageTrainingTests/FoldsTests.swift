import Testing
import TriageCore

@testable import TriageTraining

struct FoldsTests {
    /// Twelve examples of each file, two to a group.
    private static func set(homeFiles: Int, foreignFiles: Int = 0) -> TrainingSet {
        var set = TrainingSet(bits: 12, signals: [])
        for file in 0..<homeFiles + foreignFiles {
            for example in 0..<12 {
                set.add(
                    TextFeatures(), labels: [1, 0, 0, 0], group: UInt32(file * 6 + example / 2), source: UInt16(file),
                    isHome: file < homeFiles)
            }
        }
        return set
    }

    private static func folds(_ set: TrainingSet, count: Int = 5) -> [Int] {
        let folds = Folds(set, count: count, seed: 1)
        return (0..<set.count).map { folds[$0] }
    }

    @Test(arguments: [(3, 3), (5, 5), (8, 5)])
    func `files of creators' messages are held out whole, spread evenly`(files: Int, used: Int) {
        let folds = Self.folds(Self.set(homeFiles: files))
        for file in 0..<files { #expect(Set(folds[file * 12..<file * 12 + 12]).count == 1) }
        #expect(Set(folds) == Set(0..<used))
    }

    @Test(arguments: [(1, 0), (2, 0), (2, 4), (4, 2)])
    func `a group is never split, and few or foreign files are dealt by group`(home: Int, foreign: Int) {
        let folds = Self.folds(Self.set(homeFiles: home, foreignFiles: foreign))
        for group in 0..<folds.count / 2 { #expect(folds[2 * group] == folds[2 * group + 1]) }
        let dealt = home >= Folds.leastFiles ? home * 12..<folds.count : 0..<folds.count
        #expect(Set(folds[dealt]).count > 1)
    }
}
