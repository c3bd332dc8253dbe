package dev.parley.domain.protocol;

import dev.parley.domain.definition.ToolSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A conversation that waits for a person to answer in the agent's place, or that one answers.
 *
 * @param id of this handoff
 * @param askedBy the user for whom a person is asked, or null if the channel does not know them
 * @param reason why a person is asked for; empty if unknown
 * @param operator the user who answers, or null while the conversation waits for one
 * @param name of the operator, as shown in the conversation; empty without an operator
 * @param timeout time without an answer of the operator after which the conversation returns to the agent
 * @param until when it returns, unless an operator takes it or answers before
 */
@RecordBuilder
public record Handoff(
        UUID id,
        @Nullable String askedBy,
        String reason,
        @Nullable String operator,
        String name,
        Instant askedAt,
        @Nullable Instant takenAt,
        Duration timeout,
        Instant until)
        implements HandoffBuilder.With {
    /** Maximum characters of a reason. */
    public static final int MAX_REASON = ToolSpec.MAX_HANDOFF_REASON;

    /** Time for which a conversation waits for an operator. */
    public static final Duration ASKED = Duration.ofHours(1);

    /** Default time for which it waits for the operator's next answer. */
    public static final Duration TAKEN = Duration.ofMinutes(30);

    /** Longest time for which it waits for the operator's next answer. */
    public static final Duration MAX_TIMEOUT = Duration.ofDays(7);

    /** Steps of {@link TurnCommand.ChangeHandoff}. */
    public enum Step {
        /** Asks for a person. */
        ASK,
        /** Makes the sender the operator. */
        TAKE,
        /** Returns the conversation to the agent. */
        RETURN
    }

    /** Changes of a handoff. */
    public enum Change {
        ASKED,
        TAKEN,
        RETURNED,
        /** No operator took the conversation, or answered, in time. */
        EXPIRED,
        /** The session was closed, or another one was started. */
        ENDED;

        /** Whether the agent answers again. */
        public boolean isOver() {
            return compareTo(RETURNED) >= 0;
        }
    }

    /** Whether this user is the operator. */
    public boolean isAnsweredBy(@Nullable String user) {
        return operator != null && operator.equals(user);
    }

    /** This handoff after an answer of its operator. */
    public Handoff answered(Instant at) {
        return withUntil(at.plus(timeout));
    }
}
