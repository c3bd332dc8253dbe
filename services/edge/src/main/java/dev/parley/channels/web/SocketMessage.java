package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of a WebSocket client.
 *
 * @param type {@code turn}, {@code subscribe} or {@code cancel}
 * @param project of the session, or null for the default one
 * @param session its key
 * @param text of a turn
 * @param mode of a turn
 * @param agent of a turn
 * @param settings of a turn
 * @param tools of the caller, for a turn
 * @param id of the message, repeated in the answer: a duplicate counts once
 * @param lastEventId the event after which a subscription starts
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record SocketMessage(
        @Nullable String type,
        @Nullable String project,
        @Nullable String session,
        @Nullable String text,
        @Nullable String mode,
        @Nullable String agent,
        @Nullable SettingsJson settings,
        @Nullable List<CallerToolJson> tools,
        @Nullable String id,
        @Nullable String lastEventId) {}
