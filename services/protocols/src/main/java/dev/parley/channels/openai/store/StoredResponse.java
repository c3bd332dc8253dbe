package dev.parley.channels.openai.store;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Usage;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.openai_response_t}: a response, its request and its end.
 *
 * @param session key of the session, without its project
 * @param turnSeq number of the turn in its session, 0 where unknown
 * @param firstStep number of its first model call: above 0 where it continues a turn after function calls
 * @param userId who sent the request, and may read the response
 * @param spent JSON of the usage of the turn before it, null for none
 * @param previousId the response that it continues, or null
 * @param conversation the conversation as the request named it, or null
 * @param request JSON of the request without its input
 * @param input JSON of the items of the input; null where they were too large
 * @param context digest of the conversation up to its input
 * @param result JSON of the response at its end; null until then
 * @param pieces JSON of the lengths of the pieces of its texts, as they were streamed; null until then
 */
@MappedEntity(value = "openai_response_t", schema = "channels")
public record StoredResponse(
        UUID hostId,
        @Id UUID responseId,
        UUID projectId,
        String session,
        UUID turnId,
        long turnSeq,
        int firstStep,
        UUID userId,
        @Nullable String spent,
        @Nullable UUID previousId,
        @Nullable String conversation,
        String request,
        @Nullable String input,
        String context,
        @Nullable String result,
        @Nullable String pieces,
        @MappedProperty("created_ts") Instant createdAt) {
    public ResponseId id() {
        return new ResponseId(responseId);
    }

    /** The usage of its own model calls, of that of the turn. */
    @Nullable
    public Usage own(@Nullable Usage ofTurn) {
        return ofTurn == null || spent == null ? ofTurn : ofTurn.minus(UsageJson.read(spent));
    }

    /** The key of its session. */
    public RecordKey key() {
        return new RecordKey(RecordKey.projectKey(projectId), session);
    }
}
