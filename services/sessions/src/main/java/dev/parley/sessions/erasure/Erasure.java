package dev.parley.sessions.erasure;

import dev.parley.domain.RecordKey;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * An erasure that is not done.
 *
 * @param subject record key, id of the user, key of the project, or name of the agent, behind the key of its project
 * @param isRemoved whether the views have nothing of the session any more
 * @param seq number of the event that says so; before it, that of the newest event if it is only erased while nothing follows; or 0
 * @param epoch the last epoch that is erased
 * @param events how many records of the log were removed
 * @param attempts how often it was taken up, with this time
 */
record Erasure(
        UUID host,
        UUID id,
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
        /** What is remembered by an agent that was deleted. */
        AGENT
    }

    /** The session; call it for one only. */
    RecordKey session() {
        return RecordKey.parse(subject);
    }

    /** The ids of all sessions that there were under the key. */
    List<UUID> sessionIds() {
        return LongStream.rangeClosed(0, epoch).mapToObj(session()::sessionId).toList();
    }
}
