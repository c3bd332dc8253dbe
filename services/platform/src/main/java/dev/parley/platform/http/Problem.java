package dev.parley.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.http.HttpStatus;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An error in the format of RFC 9457, with a {@code code} for programs. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(description = "An error, for programs and for people (RFC 9457).")
public record Problem(
        @Schema(description = "Always about:blank; the code identifies the problem.")
        String type,

        @Schema(description = "Reason phrase of the HTTP status.")
        String title,

        @Schema(description = "The HTTP status.") int status,

        @Schema(description = "Explanation of the error in this request.")
        String detail,

        @Schema(description = "Code of the problem, in one word, for programs; it does not change between versions.")
        String code,

        @Schema(description = "Path of the request.") String instance,

        @Schema(description = "All invalid fields, if the request has a definition with some.") @Nullable
        List<InvalidField> errors) {
    /** An invalid field of a definition. */
    @Serdeable
    @Schema(description = "An invalid field of a definition.")
    public record InvalidField(
            @Schema(description = "Path of the field, such as limits.maxSteps; empty for the whole document.")
            String field,

            @Schema(description = "Rest of a sentence that begins with the field.")
            String problem) {}

    /** The media type of problems. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** The problem of a request to this path. */
    public static Problem of(HttpStatus status, String code, String detail, String path) {
        return new Problem("about:blank", status.getReason(), status.getCode(), detail, code, path, null);
    }

    /** The problem of a request to this path, with its invalid fields. */
    static Problem of(ApiException e, String path) {
        List<InvalidField> errors = e.faults().stream()
                .map(fault -> new InvalidField(fault.field(), fault.problem()))
                .toList();
        HttpStatus status = e.status();
        return new Problem(
                "about:blank",
                status.getReason(),
                status.getCode(),
                e.getMessage(),
                e.code(),
                path,
                errors.isEmpty() ? null : errors);
    }

    /** The code of an error that only has a status. */
    static String code(HttpStatus status) {
        return status == HttpStatus.INTERNAL_SERVER_ERROR
                ? "internal_error"
                : status.getReason().toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "_");
    }
}
