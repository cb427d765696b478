internal import TriageCore

extension SignalProgram {
    /// What one call of the stage uses from message to message: the program's tables, with room for what is noted.
    ///
    /// In plain memory, for it is touched with every hit.
    struct Scratch: ~Copyable {
        /// Number of the message in hand.
        fileprivate(set) var message: UInt32 = 0
        /// One for each signal.
        let entries: UnsafeMutableBufferPointer<Entry>
        let completes: UnsafeMutableBufferPointer<UInt64>
        let composites: UnsafeMutableBufferPointer<Composite>
        let conditions: UnsafeMutableBufferPointer<Condition>
        let members: UnsafeMutableBufferPointer<UInt16>
        let detectorSignals: UnsafeMutableBufferPointer<UInt16>
        let detectorStarts: UnsafeMutableBufferPointer<UInt16>
        private let unconditional: UnsafeMutableBufferPointer<UInt64>
        /// Members that fired.
        let fired: UnsafeMutableBufferPointer<UInt64>
        /// Composites to be looked at.
        let candidates: UnsafeMutableBufferPointer<UInt64>
        /// Numbers of kept hits that feed sentiment, in order.
        private(set) var feelings = UnsafeMutablePointer<UInt32>.allocate(capacity: 1024)
        private var feelingRoom = 1024

        init(_ program: SignalProgram) {
            func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
                let plain = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
                _ = plain.initialize(from: elements)
                return plain
            }
            entries = copy(program.entries)
            completes = copy(program.completes)
            composites = copy(program.composites)
            conditions = copy(program.conditions)
            members = copy(program.members)
            detectorSignals = copy(program.detectorSignals)
            detectorStarts = copy(program.detectorStarts)
            unconditional = copy(program.unconditional)
            fired = copy([UInt64](repeating: 0, count: program.memberWords))
            candidates = copy([UInt64](repeating: 0, count: program.compositeWords))
        }

        deinit {
            entries.deallocate()
            completes.deallocate()
            composites.deallocate()
            conditions.deallocate()
            members.deallocate()
            detectorSignals.deallocate()
            detectorStarts.deallocate()
            unconditional.deallocate()
            fired.deallocate()
            candidates.deallocate()
            feelings.deallocate()
        }

        /// Forgets the message before.
        ///
        /// - Parameter matches: how many hits the matcher found.
        @inline(__always)
        mutating func begin(matches: Int) {
            if message == .max {
                for i in entries.indices { entries[i].message = 0 }
                message = 0
            }
            message &+= 1
            for word in 0..<fired.count { fired[word] = 0 }
            for word in 0..<candidates.count { candidates[word] = unconditional[word] }
            if matches >= feelingRoom { makeRoom(matches) }
        }

        @inline(never)
        private mutating func makeRoom(_ matches: Int) {
            feelings.deallocate()
            feelingRoom = matches * 2
            feelings = .allocate(capacity: feelingRoom)
        }
    }
}
