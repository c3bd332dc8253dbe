package dev.parley.domain.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person's finding about a tool call whose result is unknown. The first one is final; the session is informed.
 *
 * @param user id of the person
 * @param note the evidence, or null
 */
public record SettleCall(
        UUID callId,
        UUID host,
        CallOutcome outcome,
        String user,
        @Nullable String note) implements ToolWork {}
