package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Options for another answer.
 *
 * @param agent Agent that answers. Defaults to the agent of the session.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "RetryRequest")
record RetryRequest(
        @Nullable String agent,

        @Schema(description = "Settings of the turn, which override those of the session and the agent.") @Nullable
        SettingsJson settings) {}
