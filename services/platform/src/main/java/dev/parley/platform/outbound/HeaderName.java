package dev.parley.platform.outbound;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of headers that definitions may set. */
public final class HeaderName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]{0,4000}");
    /** Those that say how the request is sent, and what makes it safe to repeat. */
    private static final Set<String> OURS = Set.of(
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

    /** The name. @throws IllegalArgumentException naming the field where it is none, or one that Parley sets */
    public static String checked(String field, String name) {
        if (!NAME.matcher(name).matches() || OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("%s: '%s' is not a header that can be set".formatted(field, name));
        }
        return name;
    }

    /** The same for headers with their values. */
    public static Map<String, String> checked(String field, Map<String, String> headers) {
        headers.forEach((name, value) -> {
            checked(field, name);
            if (!VALUE.matcher(value).matches()) {
                throw new IllegalArgumentException(
                        "%s.%s is printable ASCII characters in one line".formatted(field, name));
            }
        });
        return headers;
    }
}
