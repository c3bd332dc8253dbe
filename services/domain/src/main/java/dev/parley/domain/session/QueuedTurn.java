package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Origin;
import dev.parley.domain.protocol.Parent;
import dev.parley.domain.protocol.ReplyAddress;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn that waits.
 *
 * @param waiters partitions of {@code outcomes} where somebody waits for it
 * @param holdUntil not to be started before, or null
 * @param trace the W3C trace parent of what made it, or null
 * @param tools of the caller, who carries out the calls of them
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
        List<ToolSpec> tools)
        implements QueuedTurnBuilder.With {
    public QueuedTurn {
        content = List.copyOf(content);
        waiters = List.copyOf(waiters);
        tools = List.copyOf(tools);
    }

    /** The turn at the top of the delegation in which this one works, or null where it is at the top itself. */
    public @Nullable UUID top() {
        return parent == null ? null : parent.top();
    }

    /** Whether an agent has delegated it, and reads the reply alone. */
    public boolean isDelegate() {
        return parent != null && parent.isAgent();
    }

    /** Somebody waits for it at this partition of {@code outcomes}, or nobody does. */
    public QueuedTurn waitedForAt(@Nullable Integer partition) {
        return extended(List.of(), partition, holdUntil);
    }

    /** With more that was said, and until when more is waited for. */
    public QueuedTurn extended(List<Block> more, @Nullable Integer partition, @Nullable Instant hold) {
        var all = new ArrayList<>(content);
        all.addAll(more);
        var watching = new ArrayList<>(waiters);
        if (partition != null && !watching.contains(partition)) {
            watching.add(partition);
        }
        return with().content(all).waiters(watching).holdUntil(hold).build();
    }
}
