package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client says over the socket.
 *
 * @param type {@code turn}, {@code subscribe} or {@code cancel}
 * @param project the session's project, or null for the default one
 * @param session the session's key
 * @param text of a turn
 * @param mode of a turn
 * @param agent of a turn
 * @param settings of a turn
 * @param tools of the caller, for a turn
 * @param id the client's own name for the message: a second one with the same id counts once, and the answer repeats it
 * @param lastEventId after which event a subscription begins
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
