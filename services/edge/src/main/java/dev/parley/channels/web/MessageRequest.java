package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.channels.contract.Part;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message of the assistant: either a text or parts.
 *
 * @param text Text of the message, at most 1 MiB.
 * @param parts Parts of the message, in place of a text; at most 64.
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "MessageRequest")
record MessageRequest(@Nullable String text, @Nullable List<Part> parts) {}
