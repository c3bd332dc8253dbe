package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every command carries.
 *
 * @param commandId its identity: a second delivery changes nothing and repeats the outcome of the first
 * @param host the tenant's id
 * @param at when it was given
 * @param user who gave it, or null where the channel knows nobody
 * @param outcomePartition where on {@code outcomes} somebody waits for the outcome, or null
 * @param trace the W3C trace parent of what gave it, or null
 * @param ownOnly whether it may only be about a session of the same user: to others' it is refused as if there were none
 * @param existingOnly whether it may only be about a session that is there: a message opens none
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

    /** A command that may be about everybody's sessions. */
    public CommandMeta(
            UUID commandId,
            UUID host,
            Instant at,
            @Nullable String user,
            @Nullable Integer outcomePartition,
            @Nullable String trace) {
        this(commandId, host, at, user, outcomePartition, trace, false, false);
    }

    /** The same, limited to the user's own sessions. */
    public CommandMeta limited() {
        return new CommandMeta(commandId, host, at, user, outcomePartition, trace, true, existingOnly);
    }

    /** The same, of somebody who may not open sessions. */
    public CommandMeta toExisting() {
        return new CommandMeta(commandId, host, at, user, outcomePartition, trace, ownOnly, true);
    }

    /** The same, given at another time. */
    public CommandMeta asOf(Instant time) {
        return new CommandMeta(commandId, host, time, user, outcomePartition, trace, ownOnly, existingOnly);
    }

    /** The same for another command, which is given at this time. */
    public CommandMeta of(UUID id, Instant time) {
        return new CommandMeta(id, host, time, user, outcomePartition, trace, ownOnly, existingOnly);
    }

    /** The same for another command, whose outcome nobody waits for. */
    public CommandMeta silent(UUID id) {
        return new CommandMeta(id, host, at, user, null, trace, ownOnly, existingOnly);
    }
}
