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
record Settlement(SettleCall request, @Nullable UnknownCalls calls, RecordKey session)
        implements CallHandler.Execution {
    @Override
    public CallResult run() {
        Optional<Decision> decision = calls == null ? Optional.empty() : decideOnce(calls);
        return decision.map(made -> settled(made.outcome(), made.user(), made.note()))
                .orElseGet(() -> settled(request.outcome(), request.user(), request.note()));
    }

    private CallResult settled(CallOutcome outcome, String user, @Nullable String note) {
        return new CallResult.Settled(request.callId(), 1, outcome, user, note);
    }

    /** The first decision; empty if the ledger no longer has the call: then the first one is on the topic. */
    private Optional<Decision> decideOnce(UnknownCalls ledger) {
        CallOutcome outcome = request.outcome();
        return ledger.decide(
                        request.host(), session.projectId(), request.callId(), outcome, request.user(), request.note())
                .or(() -> ledger.find(request.host(), session.projectId(), request.callId()))
                .flatMap(call -> Optional.ofNullable(call.decision()));
    }

    @Override
    public CallResult failure(ErrorCategory category, String detail) {
        return new CallResult.ToolAnswered(request.callId(), 1, ToolStatus.ERROR, "error: " + detail);
    }
}
