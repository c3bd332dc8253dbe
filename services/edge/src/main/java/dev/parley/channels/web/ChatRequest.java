package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.Part;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to an agent, answered as a stream.
 *
 * @param session Key of the session. Defaults to a new session.
 * @param text Text of the message, at most 1 MiB.
 * @param parts Parts of the message, in place of a text; at most 64.
 * @param mode Handling while another turn is active, as for turns.
 * @param agent Agent that answers. Defaults to the agent of the session.
 * @param tools Tools of the caller, as for turns.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record ChatRequest(
        @Nullable String session,
        @Nullable String text,
        @Nullable List<Part> parts,
        @Nullable String mode,
        @Nullable String agent,

        @Schema(description = "Settings of this turn, which override those of the session and the agent.") @Nullable
        SettingsJson settings,

        @Nullable List<CallerToolJson> tools) {
    TurnRequest turnRequest() {
        return new TurnRequest(text, parts, mode, agent, settings, tools);
    }
}
