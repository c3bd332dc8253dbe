package dev.parley.sessions.api.share;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.sessions.api.MessageJson;
import dev.parley.sessions.api.PartJson;
import dev.parley.sessions.api.PartJson.GivenFile;
import dev.parley.sessions.api.share.ShareLink.Shows;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of a shared session.
 *
 * @param expiresAt Time at which the link expires.
 * @param next Cursor of the next page; null on the last page.
 */
@Serdeable
@Schema(name = "SharedSession")
record SharedJson(
        String title,
        Instant createdAt,
        Instant updatedAt,
        Instant expiresAt,
        List<SharedMessage> data,
        @Nullable String next) {

    /**
     * A message of a shared session.
     *
     * @param role Role of the author: user, assistant or tool.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SharedMessage")
    record SharedMessage(
            String role,
            List<SharedPart> parts,
            @Nullable String agent,
            @Nullable String model,
            @Nullable String error,
            boolean interrupted,
            Instant createdAt) {

        static SharedMessage of(MessageJson message, Shows shows) {
            return new SharedMessage(
                    message.role(),
                    message.parts().stream()
                            .flatMap(part -> SharedPart.of(part, shows).stream())
                            .toList(),
                    message.agent(),
                    message.model(),
                    message.error() == null ? null : Masking.of(message.error().message()),
                    message.interrupted(),
                    message.createdAt());
        }
    }

    /**
     * A part of a message of a shared session.
     *
     * @param kind Kind of the part: text, reasoning, tool or file.
     * @param name Name of the tool or the file.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SharedPart")
    record SharedPart(
            String kind,
            @Nullable String text,
            @Nullable String name,
            @Nullable String status,
            @Nullable String arguments,
            @Nullable String result,
            @Nullable String error,
            @Nullable String mimeType,
            @Nullable Long size,
            @Nullable String sha256,
            @Nullable String transcript,
            @Nullable List<GivenFile> files) {

        /** Empty where the link does not show the part. */
        static Optional<SharedPart> of(PartJson part, Shows shows) {
            boolean isShown = switch (part.kind()) {
                case "text", "file", "tool" -> true;
                case "reasoning" -> shows.reasoning();
                default -> false; // marks of steps, and items that only their provider can read
            };
            return isShown
                    ? Optional.of(toShared(part, !part.kind().equals("tool") || shows.toolOutputs()))
                    : Optional.empty();
        }

        /** @param inside whether the arguments and results of a tool are shown */
        private static SharedPart toShared(PartJson part, boolean inside) {
            return new SharedPart(
                    part.kind(),
                    inside ? Masking.mask(part.text()) : null,
                    Masking.mask(part.name()),
                    part.status(),
                    inside ? Masking.mask(part.arguments()) : null,
                    inside ? Masking.mask(part.result()) : null,
                    inside ? Masking.mask(part.error()) : null,
                    part.mimeType(),
                    part.size(),
                    part.sha256(),
                    Masking.mask(part.transcript()),
                    part.files() == null
                            ? null
                            : part.files().stream().map(SharedPart::maskFile).toList());
        }

        private static GivenFile maskFile(GivenFile file) {
            return new GivenFile(Masking.of(file.name()), file.mimeType(), file.size(), file.sha256());
        }
    }
}
