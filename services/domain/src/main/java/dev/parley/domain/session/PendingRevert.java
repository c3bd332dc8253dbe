package dev.parley.domain.session;

import dev.parley.domain.definition.ToolSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Files that were asked to be put back.
 *
 * @param commandId the command that wanted it
 * @param waiter partition of {@code outcomes} where somebody waits for it, or null
 * @param user who wanted it, or null
 * @param arguments which files: JSON for the tool {@link ToolSpec#FILES_REVERT}
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
        implements PendingRevertBuilder.With {}
