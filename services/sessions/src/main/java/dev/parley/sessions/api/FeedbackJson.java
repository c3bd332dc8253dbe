package dev.parley.sessions.api;

import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person's opinion of a turn.
 *
 * @param user Id of the user; kind of channel and id there, such as telegram:7, for people without an account.
 * @param opinion The opinion: good, bad, or other for a reaction that is neither.
 * @param emoji The reaction that shows it; null for thumbs and over the API.
 * @param text Reason that the person gives, or null.
 * @param at Time of the opinion.
 */
@Serdeable
@MappedEntity(value = "turn_feedback_t", schema = "sessions")
@Schema(name = "Feedback")
record FeedbackJson(
        @MappedProperty("user_id") String user,
        String opinion,
        @Nullable String emoji,
        @Nullable @MappedProperty("reason") String text,
        @MappedProperty("given_ts") Instant at) {}
