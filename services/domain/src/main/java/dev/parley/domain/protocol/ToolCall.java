package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.TurnEvent.ToolRequested;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of the current step.
 *
 * @param failures number of lost attempts; requested delays do not count
 * @param version of the tool; empty for a built-in tool, {@link ToolSpec#OF_CALLER} for a tool of the caller
 * @param entry index of its result's entry in the context
 * @param child the delegate session that executes it, or null for a tool
 * @param approval the pending approval, or null
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
        implements ToolCallBuilder.With, LeasedCall {
    /**
     * The first attempt of a call.
     *
     * @param entry index of its result's entry in the context
     */
    public static ToolCall of(ToolRequested e, long entry) {
        return new ToolCall(
                e.callId(),
                e.index(),
                e.attempt(),
                0,
                e.message(),
                e.part(),
                e.toolCallId(),
                e.name(),
                e.arguments(),
                e.version(),
                entry,
                e.child(),
                ToolStatus.RUNNING,
                e.leaseUntil(),
                e.deadline(),
                null,
                null);
    }

    /** A call made by the turn machine itself, which belongs to no message. */
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

    /** Whether the turn's caller executes it. */
    public boolean isCallers() {
        return version.equals(ToolSpec.OF_CALLER);
    }

    /**
     * Until when the turn waits for a person or the caller, which does not count towards its deadline; null if it does
     * not.
     */
    public @Nullable Instant awaitedUntil() {
        if (approval != null) {
            return approval.expiresAt();
        }
        return isCallers() && !status.isFinal() ? deadline : null;
    }

    /** Time at which the call is retried or fails, unless it gets its result, or its approval is decided. */
    @Override
    public Instant due() {
        if (approval != null) {
            return approval.expiresAt();
        }
        Instant next = retryAt != null ? retryAt : child == null ? leaseUntil : deadline;
        return next.isBefore(deadline) ? next : deadline;
    }

    /** Whether a worker is executing an attempt. */
    public boolean isRunning() {
        return !status.isFinal() && retryAt == null && child == null && approval == null && !isCallers();
    }

    /** Whether nobody is known to execute the call any more, although its deadline had not passed. */
    public boolean isLost(Instant now) {
        return isRunning() && leaseUntil.isBefore(deadline) && !leaseUntil.isAfter(now);
    }

    /** The time that was left when the call was last known to be executed. */
    public Duration timeLeft(Duration lease) {
        return Duration.between(leaseUntil.minus(lease), deadline);
    }

    /** The next attempt. */
    public ToolCall retry(int newAttempt, Instant lease, Instant newDeadline) {
        return with().attempt(newAttempt)
                .failures(retryAt == null ? failures + 1 : failures)
                .leaseUntil(lease)
                .deadline(newDeadline)
                .retryAt(null)
                .approval(null)
                .build();
    }

    /** The approval was given; its waiting time does not count. */
    public ToolCall approve(Instant now, Instant lease) {
        Duration waited = approval == null ? Duration.ZERO : Duration.between(approval.askedAt(), now);
        return with().leaseUntil(lease)
                .deadline(deadline.plus(waited))
                .approval(null)
                .build();
    }

    /** The call has completed. */
    public ToolCall complete(ToolStatus end) {
        return with().arguments("").status(end).retryAt(null).approval(null).build();
    }
}
