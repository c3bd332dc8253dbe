package dev.parley.channels.protocols;

import dev.parley.channels.protocols.ProtocolException.Failure;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The result of following a turn. */
public sealed interface TurnEnd {
    /** Its usage; null where it is unknown. */
    @Nullable
    Usage usage();

    /**
     * The reason for a missing answer, for protocols without a state for it; null where there is an answer, or calls
     * for the caller.
     */
    default @Nullable Failure failure() {
        return null;
    }

    /** The turn was answered. */
    record Completed(@Nullable Usage usage) implements TurnEnd {}

    /** The turn failed. */
    record Failed(Failure failure, @Nullable Usage usage) implements TurnEnd {}

    /** The turn was cancelled. */
    record Cancelled(String reason, @Nullable Usage usage) implements TurnEnd {
        @Override
        public Failure failure() {
            String suffix = reason.isBlank() ? "" : ": " + reason;
            return Failure.of(ErrorCategory.CANCELLED, "The turn was cancelled" + suffix + ".");
        }
    }

    /**
     * The turn continues after the timeout.
     *
     * @param approval id of the question that a person has not answered, or null
     */
    record Open(@Nullable String approval) implements TurnEnd {
        @Override
        public @Nullable Usage usage() {
            return null;
        }

        @Override
        public Failure failure() {
            String message = approval == null
                    ? "The turn has not ended yet, and continues."
                    : "The turn waits until a person answers the question %s, and then continues (GET /v1/approvals)."
                            .formatted(approval);
            return Failure.of(504, approval == null ? "turn_open" : "approval_required", message);
        }
    }

    /** The turn waits for the results of at least one call of the caller's tools. */
    record Called(List<CallerCall> calls, @Nullable Usage usage) implements TurnEnd {
        public Called {
            calls = List.copyOf(calls);
        }
    }

    /** The end of a turn. */
    static TurnEnd of(Outcome.Finished turn) {
        String message = Objects.requireNonNullElse(turn.message(), "");
        return switch (turn.state()) {
            case FAILED ->
                new Failed(
                        Failure.of(Objects.requireNonNullElse(turn.error(), ErrorCategory.UNKNOWN), message),
                        turn.usage());
            case CANCELLED -> new Cancelled(message, turn.usage());
            case COMPLETED, QUEUED, RUNNING_MODEL, WAITING_TOOL, WAITING_APPROVAL, WAITING_CHILD, WAITING_HISTORY ->
                new Completed(turn.usage());
        };
    }
}
