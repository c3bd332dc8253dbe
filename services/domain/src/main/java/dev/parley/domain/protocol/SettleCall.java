package dev.parley.domain.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A person says what became of a tool call that nobody saw the end of. The first who says so is believed; the session is told what stands.
 *
 * @param user the person's id
 * @param note how they found out, or null
 */
public record SettleCall(
        UUID callId,
        UUID host,
        CallOutcome outcome,
        String user,
        @Nullable String note) implements ToolWork {}
