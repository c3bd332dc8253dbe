package dev.parley.domain.session;

import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.TurnEvent.FilesRevertRequested;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A pending revert of files.
 *
 * @param commandId the command that requested it
 * @param waiter partition of {@code outcomes} on which an instance waits, or null
 * @param user the user who requested it, or null
 * @param arguments the files: JSON for the tool {@link ToolSpec#FILES_REVERT}
 */
@RecordBuilder
public record PendingRevert(
        UUID callId,
        int attempt,
        UUID commandId,
        @Nullable Integer waiter,
        @Nullable String user,
        String arguments,
        Instant leaseUntil,
        Instant deadline)
        implements PendingRevertBuilder.With {
    public static PendingRevert of(FilesRevertRequested e) {
        return new PendingRevert(
                e.callId(),
                e.attempt(),
                e.commandId(),
                e.waiter(),
                e.user(),
                e.arguments(),
                e.leaseUntil(),
                e.deadline());
    }

    /** Expiry of the lease or the deadline, whichever is first. */
    public Instant due() {
        return leaseUntil.isBefore(deadline) ? leaseUntil : deadline;
    }
}
