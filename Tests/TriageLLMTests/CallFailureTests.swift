import Testing
import TriageLLM

@Suite struct `Failures of calls` {
    @Test
    func `a wrong key, an empty wallet and a wrong address end the asking for the run, a lost connection does not`() {
        #expect(CallFailure.authentication.isFinalForRun)
        #expect(CallFailure.quota.isFinalForRun)
        #expect(CallFailure.configuration(status: 404).isFinalForRun)
        #expect(!CallFailure.transient(.transport(TransportFault(.emptyReply))).isFinalForRun)
    }
}
