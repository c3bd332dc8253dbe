package dev.parley.domain.protocol;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnEvent.TurnAccepted;
import dev.parley.domain.protocol.origin.Parent;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The target of a session import or move: maps keys and ids of the source project to those of the target. Within the
 * same project they stay.
 *
 * @param from key of the source project
 * @param to key of the target project
 * @param host the target tenant
 * @param user maps user ids
 * @param turn maps turn ids
 */
public record ImportTarget(String from, String to, UUID host, UnaryOperator<String> user, UnaryOperator<UUID> turn) {
    /** Maximum epochs of a key that are searched for a session's parent. */
    private static final int MAX_EPOCHS = 1_000;

    private boolean isSame() {
        return from.equals(to);
    }

    /** The target key of a session. */
    public RecordKey key(RecordKey old) {
        return new RecordKey(to, old.session());
    }

    /** The id of an accepted turn, derived from its origin in the target. */
    public UUID turn(TurnAccepted event) {
        RecordKey key = key(event.meta().key());
        return isSame()
                ? Objects.requireNonNull(event.meta().turnId())
                : key.turnId(event.origin().code(), originRef(event));
    }

    /** For delegated turns, the origin is a call, whose id changes. */
    public String originRef(TurnAccepted event) {
        Parent parent = event.parent();
        boolean delegated =
                parent != null && event.originRef().equals(parent.callId().toString());
        return parent == null || !delegated
                ? event.originRef()
                : call(parent.key(), parent.callId()).toString();
    }

    /** The target id of a session's call. */
    public UUID call(RecordKey caller, UUID old) {
        return isSame() ? old : Ids.of("imported", key(caller), old);
    }

    /** The target id of a session with this key. */
    public UUID session(RecordKey old, UUID sessionId) {
        for (long epoch = 0; epoch < MAX_EPOCHS; epoch++) {
            if (old.sessionId(epoch).equals(sessionId)) {
                return key(old).sessionId(epoch);
            }
        }
        return isSame() ? sessionId : Ids.of("imported", to, sessionId);
    }

    /** The target id of any other object. */
    public UUID other(UUID old) {
        return isSame() ? old : Ids.of("imported", to, old);
    }

    /** The target id of a user, or null. */
    public @Nullable String person(@Nullable String old) {
        return old == null ? null : user.apply(old);
    }

    /** The target of a parent, or null. */
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
