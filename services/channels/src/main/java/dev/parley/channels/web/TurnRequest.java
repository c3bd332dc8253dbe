package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Request body of a message. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "TurnRequest", description = "A message to an agent: either a text or parts.")
public record TurnRequest(
        @Schema(description = "The message, at most 1 MiB.") @Nullable
        String text,

        @Schema(description = "The message in parts, instead of a text; at most 64.") @Nullable
        List<Part> parts,

        @Schema(
                description =
                        "What happens while a turn is active: followup waits (the default), steer joins it, collect "
                                + "joins the others that wait, interrupt cancels it, reject is refused.")
        @Nullable
        String mode,

        @Schema(description = "The agent that answers; the session's when missing.") @Nullable
        String agent,

        @Schema(description = "Settings of this turn, which override those of the session and the agent.") @Nullable
        SettingsJson settings,

        @Schema(
                description =
                        "Tools of the caller, at most 64: the turn waits where the model calls one, until its result is given. With any, "
                                + "the message is a turn of its own.")
        @Nullable
        List<CallerToolJson> tools) {

    /** A part of a message. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "PartRequest", description = "A text or a file.")
    public record Part(
            @Schema(description = "The kind: text or file.") @Nullable
            String kind,

            @Schema(description = "The text, for kind text.") @Nullable
            String text,

            @Schema(description = "The file's bytes in base64, for kind file.") @Nullable
            String data,

            @Schema(description = "The file's name, for kind file.") @Nullable
            String name,

            @Schema(description = "The file's media type, for kind file.") @Nullable
            String mimeType) {}
}
