package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.Part;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message whose turn is streamed on the same connection. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(description = "A message to an agent, answered as a stream.")
record ChatRequest(
        @Schema(description = "Key of the session. Defaults to a new session.") @Nullable
        String session,

        @Schema(description = "Text of the message, at most 1 MiB.") @Nullable
        String text,

        @Schema(description = "Parts of the message, in place of a text; at most 64.") @Nullable
        List<Part> parts,

        @Schema(description = "Handling while another turn is active, as for turns.") @Nullable
        String mode,

        @Schema(description = "Agent that answers. Defaults to the agent of the session.") @Nullable
        String agent,

        @Schema(description = "Settings of this turn, which override those of the session and the agent.") @Nullable
        SettingsJson settings,

        @Schema(description = "Tools of the caller, as for turns.") @Nullable
        List<CallerToolJson> tools) {
    TurnRequest turnRequest() {
        return new TurnRequest(text, parts, mode, agent, settings, tools);
    }
}
