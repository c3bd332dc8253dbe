package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.Part;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message to an agent: either a text or parts.
 *
 * @param text Text of the message, at most 1 MiB.
 * @param parts Parts of the message, in place of a text; at most 64.
 * @param mode Handling while another turn is active: followup (the default) queues the message, steer adds it to the
 *     active turn, collect joins it with the other queued messages, interrupt cancels the active turn, reject refuses
 *     the message.
 * @param agent Agent that answers. Defaults to the agent of the session.
 * @param tools Tools of the caller, at most 64. When the model calls one, the turn waits for its result. With tools,
 *     the message is a turn of its own.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "TurnRequest")
public record TurnRequest(
        @Nullable String text,
        @Nullable List<Part> parts,
        @Nullable String mode,
        @Nullable String agent,

        @Schema(description = "Settings of this turn, which override those of the session and the agent.") @Nullable
        SettingsJson settings,

        @Nullable List<CallerToolJson> tools) {}
