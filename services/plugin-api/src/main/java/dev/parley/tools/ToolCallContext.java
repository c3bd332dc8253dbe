package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import dev.parley.platform.worker.Cancellation;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The context of a tool call.
 *
 * @param callId the same for each attempt: use it as the idempotency key
 * @param session the session in which the call is made
 * @param top root turn of the delegation chain; the turn itself if it was not delegated
 * @param step number of the turn's step whose model call requested this call
 * @param attempt 1 for the first attempt
 * @param agent the agent whose model requested the call
 * @param user the user on whose behalf the turn runs, or null
 * @param deadline when the result is no longer needed
 * @param banks memory banks that the turn may use; the first is the one it retains to
 * @param reader the agent whose model processes memories, or null if rules do
 * @param cancellation signal for blocking operations that an interrupt does not end
 */
public record ToolCallContext(
        UUID callId,
        UUID host,
        RecordKey session,
        UUID sessionId,
        UUID turnId,
        UUID top,
        int step,
        int attempt,
        String agent,
        @Nullable String user,
        Instant deadline,
        List<BankRef> banks,
        @Nullable Agent reader,
        Cancellation cancellation) {
    public ToolCallContext {
        banks = List.copyOf(banks);
    }

    /** The project of the session. */
    public UUID project() {
        return session.projectId();
    }
}
