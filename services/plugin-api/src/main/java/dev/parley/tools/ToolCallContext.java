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
 * What a tool may know of the call that it carries out.
 *
 * @param callId the same for each attempt: send it along as the idempotency key
 * @param session in which it is made
 * @param top the turn at the top of the delegation in which the call is made; the turn itself where it is at the top
 * @param step of the turn, whose model call asked for it
 * @param attempt 1 for the first
 * @param agent whose model asked for it
 * @param user whose turn it is, or null
 * @param deadline when nobody wants the answer any more
 * @param banks of memory that the turn may use, the one first in which it is remembered
 * @param reader whose model thinks about what is remembered, or null where rules do
 * @param cancellation for what an interrupt does not end
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

    /** The project that the session is in. */
    public UUID project() {
        return session.projectId();
    }
}
