package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.worker.CallHandler;
import dev.parley.tools.UnknownCall.Decision;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records the decision of a user about a call of unknown outcome; its result is the first decision, this one or an
 * earlier one.
 */
record Settlement(SettleCall said, @Nullable UnknownCalls calls, RecordKey session) implements CallHandler.Execution {
    @Override
    public CallResult run() {
        Optional<Decision> decision = calls == null ? Optional.empty() : decided(calls);
        return new CallResult.Settled(
                said.callId(),
                1,
                decision.map(Decision::outcome).orElse(said.outcome()),
                decision.map(Decision::user).orElse(said.user()));
    }

    /** The first decision; empty if the ledger does not have the call any more: then the first one is on the topic. */
    private Optional<Decision> decided(UnknownCalls ledger) {
        CallOutcome outcome = said.outcome();
        return ledger.decide(said.host(), session.projectId(), said.callId(), outcome, said.user(), said.note())
                .or(() -> ledger.find(said.host(), session.projectId(), said.callId()))
                .flatMap(call -> Optional.ofNullable(call.decision()));
    }

    @Override
    public CallResult failure(ErrorCategory category, String detail) {
        return new CallResult.ToolAnswered(said.callId(), 1, ToolStatus.ERROR, "error: " + detail);
    }
}
