package dev.parley.domain.protocol;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.definition.Agent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One tool call, complete. The call id is the idempotency key towards the outside.
 *
 * @param top the turn at the top of the delegation in which this one works, or null where it is at the top itself
 * @param version of the tool; empty for one that comes with a program
 * @param arguments JSON as the model wrote it, not yet checked
 * @param leaseUntil a worker that takes the call up after this moment drops it: it has been asked again
 * @param deadline when the answer is of no use any more
 * @param banks of memory that the turn may use, the one first in which it is remembered
 * @param reader whose model thinks about what is remembered, or null where rules do
 */
public record ToolRequest(
        UUID callId,
        UUID host,
        UUID sessionId,
        UUID turnId,
        @Nullable UUID top,
        int step,
        int index,
        int attempt,
        String agent,
        String name,
        String version,
        String arguments,
        @Nullable String user,
        Instant leaseUntil,
        Instant deadline,
        List<BankRef> banks,
        @Nullable Agent reader)
        implements ToolWork {
    public ToolRequest {
        banks = List.copyOf(banks);
    }
}
