package dev.parley.mcp;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The headers that repeat parts of a message, for proxies.
 *
 * @param version the version of the protocol
 * @param method the method
 * @param name the tool or the resource, as sent
 */
record RequestHeaders(
        @Nullable String version,
        @Nullable String method,
        @Nullable String name) {
    static final String VERSION = "MCP-Protocol-Version";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";

    private static final String ENCODED = "=?base64?";
    private static final String END = "?=";

    static RequestHeaders of(HttpRequest<?> request) {
        HttpHeaders headers = request.getHeaders();
        return new RequestHeaders(strip(headers.get(VERSION)), strip(headers.get(METHOD)), strip(headers.get(NAME)));
    }

    private static @Nullable String strip(@Nullable String value) {
        return value == null ? null : value.strip();
    }

    /** The decoded name; empty if it is missing or cannot be decoded. */
    Optional<String> decodedName() {
        if (name == null) {
            return Optional.empty();
        }
        if (!name.startsWith(ENCODED) || !name.endsWith(END) || name.length() < ENCODED.length() + END.length()) {
            return Optional.of(name);
        }
        String text = name.substring(ENCODED.length(), name.length() - END.length());
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            boolean canonical = Base64.getEncoder().encodeToString(bytes).equals(text);
            return canonical
                    ? Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString())
                    : Optional.empty();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
