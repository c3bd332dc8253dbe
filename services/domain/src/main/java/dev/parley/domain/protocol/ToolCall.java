package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of the current step.
 *
 * @param failures how many attempts were lost; one that was told to come back later is none of them
 * @param version of the tool; empty for one that comes with a program, {@link ToolSpec#OF_CALLER} for one of the caller
 * @param entry where in the context its result belongs
 * @param child the session that carries it out, or null for a tool
 * @param approval the question that has to be answered first, or null
 */
@RecordBuilder
public record ToolCall(
        UUID callId,
        int index,
        int attempt,
        int failures,
        int message,
        int part,
        String toolCallId,
        String name,
        String arguments,
        String version,
        long entry,
        @Nullable RecordKey child,
        ToolStatus status,
        Instant leaseUntil,
        Instant deadline,
        @Nullable Instant retryAt,
        @Nullable Approval approval)
        implements ToolCallBuilder.With {
    /** A call that no model made: it has no place in a message. */
    public static ToolCall ofMachine(
            UUID callId, String tool, String version, String arguments, Instant lease, Instant deadline) {
        return ToolCallBuilder.builder()
                .callId(callId)
                .attempt(1)
                .toolCallId("")
                .name(tool)
                .arguments(arguments)
                .version(version)
                .status(ToolStatus.RUNNING)
                .leaseUntil(lease)
                .deadline(deadline)
                .build();
    }

    /** Whether the caller of the turn carries it out, and nobody else is asked. */
    public boolean isCallers() {
        return version.equals(ToolSpec.OF_CALLER);
    }

    /** Until when a person or the caller is waited for, which is not the turn's own time; null where nobody is. */
    public @Nullable Instant awaitedUntil() {
        if (approval != null) {
            return approval.expiresAt();
        }
        return isCallers() && !status.isFinal() ? deadline : null;
    }

    /** It is carried out once more. */
    public ToolCall asked(int newAttempt, Instant lease) {
        return with().attempt(newAttempt)
                .failures(retryAt == null ? failures + 1 : failures)
                .leaseUntil(lease)
                .retryAt(null)
                .approval(null)
                .build();
    }

    /** It was answered whether it may be carried out: the time that it waited for this is not its own. */
    public ToolCall answered(Instant now, Instant lease) {
        Duration waited = approval == null ? Duration.ZERO : Duration.between(approval.askedAt(), now);
        return with().leaseUntil(lease)
                .deadline(deadline.plus(waited))
                .approval(null)
                .build();
    }

    /** Nothing more becomes of it. */
    public ToolCall ended(ToolStatus end) {
        return with().arguments("").status(end).retryAt(null).approval(null).build();
    }
}
