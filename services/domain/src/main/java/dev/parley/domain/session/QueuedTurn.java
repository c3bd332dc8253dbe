package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.protocol.origin.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queued turn.
 *
 * @param waiters partitions of {@code outcomes} on which instances wait
 * @param holdUntil earliest start, or null
 * @param trace W3C trace parent of the command, or null
 * @param tools of the caller, who executes their calls
 * @param posted whether the content is what the assistant says, for which no model is called
 * @param answered the reply of a person who answered in the agent's place, for which no model is called either; or null
 */
@RecordBuilder
public record QueuedTurn(
        UUID turnId,
        long seq,
        Origin origin,
        MailboxMode mode,
        String agent,
        @Nullable Settings settings,
        List<Block> content,
        @Nullable String user,
        @Nullable ReplyAddress replyTo,
        @Nullable Parent parent,
        List<Integer> waiters,
        Instant acceptedAt,
        @Nullable Instant holdUntil,
        @Nullable String trace,
        List<ToolSpec> tools,
        boolean posted,
        @Nullable String answered)
        implements QueuedTurnBuilder.With {
    public QueuedTurn {
        content = List.copyOf(content);
        waiters = List.copyOf(waiters);
        tools = List.copyOf(tools);
    }

    /** An accepted turn. */
    public static QueuedTurn of(TurnAccepted e) {
        var turn = new QueuedTurn(
                Objects.requireNonNull(e.meta().turnId(), "an accepted turn has an id"),
                e.turnSeq(),
                e.origin(),
                e.mode(),
                e.agent(),
                e.settings(),
                e.content(),
                e.user(),
                e.replyTo(),
                e.parent(),
                List.of(),
                e.meta().at(),
                e.holdUntil(),
                e.trace(),
                e.tools(),
                e.posted(),
                null);
        return turn.withWaiter(e.outcomePartition());
    }

    /** Root turn of the delegation chain, or null if this turn is the root. */
    public @Nullable UUID top() {
        return parent == null ? null : parent.top();
    }

    /** Whether an agent delegated the turn; only that agent reads the reply. */
    public boolean isDelegate() {
        return parent != null && parent.isAgent();
    }

    /** Earliest start, or null; what was answered is not held. */
    public @Nullable Instant startsAt() {
        return answered == null ? holdUntil : null;
    }

    /** Whether a model answers it; false where the assistant's message or a person's answer is known. */
    public boolean needsModel() {
        return !posted && answered == null;
    }

    /** With another partition of {@code outcomes} to notify, if not null. */
    public QueuedTurn withWaiter(@Nullable Integer partition) {
        return extend(List.of(), partition, holdUntil);
    }

    /** With additional content, and until when further messages are collected. */
    public QueuedTurn extend(List<Block> addition, @Nullable Integer partition, @Nullable Instant hold) {
        var blocks = new ArrayList<>(content);
        blocks.addAll(addition);
        var watching = new ArrayList<>(waiters);
        if (partition != null && !watching.contains(partition)) {
            watching.add(partition);
        }
        return with().content(blocks).waiters(watching).holdUntil(hold).build();
    }
}
