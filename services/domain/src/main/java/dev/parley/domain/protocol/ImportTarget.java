package dev.parley.domain.protocol;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The project that sessions move to, and what names are there. Where it is the one that they come from, names stay.
 *
 * @param from key of the project that they come from
 * @param to key of the project that they go to
 * @param host id of the tenant that they go to
 * @param user what a person's id is there
 * @param turn what the id of a turn is there
 */
public record ImportTarget(String from, String to, UUID host, UnaryOperator<String> user, UnaryOperator<UUID> turn) {
    /** A session's parent is looked for among this many of its key. */
    private static final int MOST_EPOCHS = 1_000;

    private boolean isSame() {
        return from.equals(to);
    }

    /** The key of a session. */
    public RecordKey key(RecordKey old) {
        return new RecordKey(to, old.session());
    }

    /** The id of an accepted turn: what its origin makes of it there. */
    public UUID turn(TurnAccepted event) {
        RecordKey key = key(event.meta().key());
        return isSame()
                ? Objects.requireNonNull(event.meta().turnId())
                : key.turnId(event.origin().code(), originRef(event));
    }

    /** What a delegated turn comes from is a call, which has another id there. */
    public String originRef(TurnAccepted event) {
        Parent parent = event.parent();
        boolean delegated =
                parent != null && event.originRef().equals(parent.callId().toString());
        return parent == null || !delegated
                ? event.originRef()
                : call(parent.key(), parent.callId()).toString();
    }

    /** The id of a call that a session made. */
    public UUID call(RecordKey caller, UUID old) {
        return isSame() ? old : Ids.of("imported", key(caller), old);
    }

    /** The id of a session of this key. */
    public UUID session(RecordKey old, UUID sessionId) {
        for (long epoch = 0; epoch < MOST_EPOCHS; epoch++) {
            if (old.sessionId(epoch).equals(sessionId)) {
                return key(old).sessionId(epoch);
            }
        }
        return isSame() ? sessionId : Ids.of("imported", to, sessionId);
    }

    /** The id of what is known by nothing else. */
    public UUID other(UUID old) {
        return isSame() ? old : Ids.of("imported", to, old);
    }

    /** The id of a person, where there is one. */
    public @Nullable String person(@Nullable String old) {
        return old == null ? null : user.apply(old);
    }

    /** What a parent is there, or null. */
    public @Nullable Parent parent(@Nullable Parent old) {
        return old == null
                ? null
                : new Parent(
                        key(old.key()),
                        session(old.key(), old.sessionId()),
                        call(old.key(), old.callId()),
                        old.agents(),
                        old.top() == null ? null : turn().apply(old.top()),
                        old.filesTo());
    }
}
