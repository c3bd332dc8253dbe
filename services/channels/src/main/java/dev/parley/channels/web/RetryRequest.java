package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How an answer is to be given anew. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "RetryRequest", description = "How an answer is to be given anew.")
record RetryRequest(
        @Schema(description = "The agent that is to answer; without one the session's.") @Nullable
        String agent,

        @Schema(description = "How it is to be answered, where that is not as the session and the agent say.") @Nullable
        SettingsJson settings) {}
