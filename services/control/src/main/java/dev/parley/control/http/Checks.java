package dev.parley.control.http;

import dev.parley.domain.document.Fault;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.ReadableText;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.IllformedLocaleException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Validation of request fields; a failure is a 400 that names the field. */
public final class Checks {
    private static final Duration MAX_FUTURE = Duration.ofDays(36_525);

    private Checks() {}

    /**
     * A required text.
     *
     * @throws ApiException 400 where it is missing, blank or too long
     */
    public static String requireText(String field, @Nullable String value, int max) {
        if (value == null || value.isBlank()) {
            throw ApiException.badRequest("missing_field", "The field '" + field + "' is missing");
        }
        return text(field, value, max);
    }

    /**
     * An optional text; a blank one is null.
     *
     * @throws ApiException 400 where it is too long
     */
    public static @Nullable String optional(String field, @Nullable String value, int max) {
        return value == null || value.isBlank() ? null : text(field, value, max);
    }

    /**
     * A required name or other text of one line that people tell apart by reading it.
     *
     * @throws ApiException 400 where it is missing, blank or too long, or contains characters that cannot be seen
     */
    public static String requireName(String field, @Nullable String value, int max) {
        return ReadableText.require(field, requireText(field, value, max));
    }

    /**
     * An optional {@linkplain #requireName name}; a blank one is null.
     *
     * @throws ApiException 400 where it is too long, or contains characters that cannot be seen
     */
    public static @Nullable String optionalName(String field, @Nullable String value, int max) {
        String text = optional(field, value, max);
        return text == null ? null : ReadableText.require(field, text);
    }

    private static String text(String field, String value, int max) {
        if (value.codePointCount(0, value.length()) > max) {
            throw invalid(field, "must have at most " + max + " characters");
        }
        if (value.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\t' && c != '\r')) {
            throw invalid(field, "must not contain control characters");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
            throw invalid(field, "contains an unpaired surrogate");
        }
        return value;
    }

    /** An e-mail address, roughly, in {@linkplain EmailAddress its normal form}. */
    public static @Nullable String email(@Nullable String value) {
        String text = optionalName("email", value, 254);
        return text == null
                ? null
                : EmailAddress.normal(text).orElseThrow(() -> invalid("email", "must be an e-mail address"));
    }

    /** An http or https URL. */
    public static @Nullable String webAddress(String field, @Nullable String value) {
        String text = optional(field, value, 2_048);
        if (text == null) {
            return null;
        }
        try {
            String scheme = new URI(text).getScheme();
            if ("https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme)) {
                return text;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        throw invalid(field, "must be an http or https URL");
    }

    /** A time zone of the IANA. */
    public static @Nullable String timeZone(@Nullable String value) {
        String text = optional("timeZone", value, 64);
        try {
            return text == null ? null : ZoneId.of(text).getId();
        } catch (DateTimeException e) {
            throw invalid("timeZone", "must be a time zone such as Europe/Berlin");
        }
    }

    /** A language tag. */
    public static @Nullable String language(@Nullable String value) {
        String text = optional("language", value, 35);
        try {
            return text == null
                    ? null
                    : new Locale.Builder().setLanguageTag(text).build().toLanguageTag();
        } catch (IllformedLocaleException e) {
            throw invalid("language", "must be a language tag such as de or pt-BR");
        }
    }

    /** A time in the future, within a hundred years. */
    public static void future(String field, @Nullable Instant value) {
        Instant now = Instant.now();
        if (value != null && (!value.isAfter(now) || value.isAfter(now.plus(MAX_FUTURE)))) {
            throw invalid(field, "must be a time in the future, within a hundred years");
        }
    }

    /** The error of an invalid field. */
    public static ApiException invalid(String field, String problem) {
        return invalid(List.of(new Fault(field, problem)));
    }

    /** The error of invalid fields, with the code of the first one. */
    public static ApiException invalid(List<Fault> faults) {
        return ApiException.invalid(faults.getFirst().code(), faults);
    }
}
