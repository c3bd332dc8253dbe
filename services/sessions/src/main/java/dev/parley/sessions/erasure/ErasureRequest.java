package dev.parley.sessions.erasure;

import dev.parley.domain.RecordKey;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * An erasure in progress.
 *
 * @param subject record key of a session, id of a user, key of a project, or an agent name prefixed with its project
 *     key
 * @param isRemoved whether the views no longer contain the session
 * @param seq sequence number of the event that erased the session; before that, number of the last event if the erasure
 *     is conditional on inactivity, or 0
 * @param epoch the last erased epoch
 * @param events number of tombstoned events
 * @param attempts number of claims, including the current one
 */
@MappedEntity(value = "erasure_t", schema = "sessions")
record ErasureRequest(
        @MappedProperty("host_id") UUID host,
        @Id @MappedProperty("erasure_id") UUID id,
        Kind kind,
        String subject,
        boolean isRemoved,
        long seq,
        long epoch,
        long events,
        @Nullable String requestedBy,
        int attempts) {
    enum Kind {
        SESSION,
        USER,
        PROJECT,
        /** The memories of a deleted agent. */
        AGENT
    }

    /** The session; only for session erasures. */
    RecordKey session() {
        return RecordKey.parse(subject);
    }

    /** Ids of all epochs of the session. */
    List<UUID> sessionIds() {
        return LongStream.rangeClosed(0, epoch).mapToObj(session()::sessionId).toList();
    }
}
