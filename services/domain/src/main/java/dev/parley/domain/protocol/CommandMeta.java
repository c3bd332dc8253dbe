package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of every command.
 *
 * @param commandId idempotency key: a duplicate changes nothing, and its outcome is that of the first
 * @param host the tenant
 * @param at time of the command
 * @param user author of the command, or null if the channel does not know
 * @param outcomePartition partition of {@code outcomes} on which an instance waits, or null
 * @param trace W3C trace parent, or null
 * @param ownOnly whether the command is limited to the user's own sessions: others are treated as not found
 * @param existingOnly whether the command is limited to existing sessions: a message does not create one
 */
public record CommandMeta(
        UUID commandId,
        UUID host,
        Instant at,
        @Nullable String user,
        @Nullable Integer outcomePartition,
        @Nullable String trace,
        boolean ownOnly,
        boolean existingOnly) {
    public CommandMeta {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(at, "at");
    }

    /** Metadata of a command without limits. */
    public CommandMeta(
            UUID commandId,
            UUID host,
            Instant at,
            @Nullable String user,
            @Nullable Integer outcomePartition,
            @Nullable String trace) {
        this(commandId, host, at, user, outcomePartition, trace, false, false);
    }

    /** These metadata, limited to the user's own sessions. */
    public CommandMeta toOwn() {
        return new CommandMeta(commandId, host, at, user, outcomePartition, trace, true, existingOnly);
    }

    /** These metadata, limited to existing sessions. */
    public CommandMeta toExisting() {
        return new CommandMeta(commandId, host, at, user, outcomePartition, trace, ownOnly, true);
    }

    /** These metadata, not limited to existing sessions. */
    public CommandMeta toAny() {
        return new CommandMeta(commandId, host, at, user, outcomePartition, trace, ownOnly, false);
    }

    /** These metadata with another time. */
    public CommandMeta asOf(Instant time) {
        return new CommandMeta(commandId, host, time, user, outcomePartition, trace, ownOnly, existingOnly);
    }

    /** These metadata for another command at another time. */
    public CommandMeta of(UUID id, Instant time) {
        return new CommandMeta(id, host, time, user, outcomePartition, trace, ownOnly, existingOnly);
    }

    /** These metadata for another command without a waiting instance. */
    public CommandMeta silent(UUID id) {
        return new CommandMeta(id, host, at, user, null, trace, ownOnly, existingOnly);
    }
}
