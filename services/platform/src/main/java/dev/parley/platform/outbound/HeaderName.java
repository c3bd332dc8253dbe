package dev.parley.platform.outbound;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of headers that definitions may set. */
public final class HeaderName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{0,4000}");
    /** Headers of the transport and of idempotency, which Parley sets. */
    private static final Set<String> RESERVED = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "upgrade",
            "te",
            "trailer",
            "expect",
            "proxy-authorization",
            "accept-encoding",
            "idempotency-key",
            "mcp-session-id",
            "mcp-protocol-version");

    private HeaderName() {}

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException naming the field, if it is invalid or reserved
     */
    public static String requireValid(String field, String name) {
        if (!NAME.matcher(name).matches() || RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("%s: '%s' is not a header that can be set".formatted(field, name));
        }
        return name;
    }

    /** Checks headers with their values. */
    public static Map<String, String> requireValid(String field, Map<String, String> headers) {
        headers.forEach((name, value) -> {
            requireValid(field, name);
            if (!VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "%s.%s is printable ASCII characters in one line".formatted(field, name));
            }
        });
        return headers;
    }
}
