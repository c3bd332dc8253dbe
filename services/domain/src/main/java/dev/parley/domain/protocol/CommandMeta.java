package dev.parley.domain.protocol;

import dev.parley.domain.protocol.origin.Actor;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param actor who sends the command, set by the service that accepted it, never by its caller
 * @param guest whether the command is limited to what a guest may do in the sessions of others
 * @param leads whether the sender has checked that the user leads the project, and so may answer for others
 */
@RecordBuilder
public record CommandMeta(
        UUID commandId,
        UUID host,
        Instant at,
        @Nullable String user,
        @Nullable Integer outcomePartition,
        @Nullable String trace,
        boolean ownOnly,
        boolean existingOnly,
        Actor actor,
        boolean guest,
        boolean leads)
        implements CommandMetaBuilder.With {
    public CommandMeta {
        Objects.requireNonNull(commandId, "commandId");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(actor, "actor");
    }

    /** Metadata of a command without limits, whose actor is unknown. */
    public CommandMeta(
            UUID commandId,
            UUID host,
            Instant at,
            @Nullable String user,
            @Nullable Integer outcomePartition,
            @Nullable String trace) {
        this(commandId, host, at, user, outcomePartition, trace, false, false, Actor.UNKNOWN, false, false);
    }

    /** These metadata, limited to the user's own sessions. */
    public CommandMeta toOwn() {
        return with().ownOnly(true).build();
    }

    /** These metadata, limited to the user's own sessions and what guests may do in those of others. */
    public CommandMeta toGuest() {
        return with().guest(true).build();
    }

    /** These metadata of a user who leads the project. */
    public CommandMeta leading() {
        return with().leads(true).build();
    }

    /** These metadata, limited to existing sessions. */
    public CommandMeta toExisting() {
        return with().existingOnly(true).build();
    }

    /** These metadata, not limited to existing sessions. */
    public CommandMeta toAny() {
        return with().existingOnly(false).build();
    }

    /** These metadata of a command by this actor. */
    public CommandMeta by(Actor other) {
        return with().actor(other).build();
    }

    /** These metadata with another time. */
    public CommandMeta asOf(Instant time) {
        return with().at(time).build();
    }

    /** These metadata for another command at another time. */
    public CommandMeta of(UUID id, Instant time) {
        return with().commandId(id).at(time).build();
    }

    /** These metadata for another command without a waiting instance. */
    public CommandMeta silent(UUID id) {
        return with().commandId(id).outcomePartition(null).build();
    }
}
