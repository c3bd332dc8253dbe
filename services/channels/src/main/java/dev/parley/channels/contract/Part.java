package dev.parley.channels.contract;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A part of a message. */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
@Schema(name = "PartRequest", description = "A text or a file.")
public record Part(
        @Schema(description = "Kind of the part: text or file.") @Nullable
        String kind,

        @Schema(description = "Text, for kind text.") @Nullable
        String text,

        @Schema(description = "Bytes of the file in base64, for kind file.") @Nullable
        String data,

        @Schema(description = "Name of the file, for kind file.") @Nullable
        String name,

        @Schema(description = "Media type of the file, for kind file.") @Nullable
        String mimeType) {}
