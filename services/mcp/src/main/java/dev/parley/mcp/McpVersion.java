package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The protocol version of a request. Since 2026-07-28 each request states it in {@code _meta}, and repeats its subject
 * in headers; before, a client starts with {@code initialize}. The server keeps no state between requests of either
 * kind.
 */
record McpVersion(String version) {
    /** The version without {@code initialize}. */
    static final String MODERN = "2026-07-28";

    /** The newest version with {@code initialize}. */
    static final String NEWEST_LEGACY = "2025-11-25";

    /** Versions with {@code initialize}, newest first. */
    static final List<String> LEGACY = List.of(NEWEST_LEGACY, "2025-06-18", "2025-03-26");

    /** All supported versions, newest first. */
    static final List<String> SUPPORTED = List.of(MODERN, NEWEST_LEGACY, "2025-06-18", "2025-03-26");

    static final String META = "io.modelcontextprotocol/";
    private static final String META_VERSION = META + "protocolVersion";
    private static final String META_CAPABILITIES = META + "clientCapabilities";

    /** The parameter that a header repeats, by method. */
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    /** Methods of {@link #MODERN} only. */
    private static final List<String> NEW_METHODS = List.of("server/discover", "subscriptions/listen");

    boolean isModern() {
        return version.equals(MODERN);
    }

    /**
     * The version of a request.
     *
     * @throws McpException if the version is missing, differs between {@code _meta} and header, or is not supported
     */
    static McpVersion of(RpcMessage.Request request, RequestHeaders headers) {
        ObjectNode meta = request.meta();
        if (!isModern(request, meta, headers.version())) {
            return legacy(headers.version());
        }
        String version = statedVersion(meta, headers);
        if (!version.equals(MODERN)) {
            return new McpVersion(version);
        }
        if (!meta.path(META_CAPABILITIES).isObject()) {
            throw McpException.malformed("'_meta' has no '" + META_CAPABILITIES + "'.");
        }
        checkHeaders(request, headers);
        return new McpVersion(MODERN);
    }

    /** The version that {@code _meta} and the header state alike. */
    private static String statedVersion(ObjectNode meta, RequestHeaders headers) {
        String version = text(meta.get(META_VERSION))
                .orElseThrow(() -> McpException.malformed("'_meta' has no '" + META_VERSION + "'."));
        if (headers.version() == null || !version.equals(headers.version())) {
            throw McpException.headerMismatch(
                    "The header %s is missing or differs from '_meta'.".formatted(RequestHeaders.VERSION));
        }
        if (!SUPPORTED.contains(version)) {
            throw McpException.unsupportedVersion(version, SUPPORTED);
        }
        return version;
    }

    private static boolean isModern(RpcMessage.Request request, ObjectNode meta, @Nullable String header) {
        return meta.has(META_VERSION)
                || meta.has(META_CAPABILITIES)
                || MODERN.equals(header)
                || NEW_METHODS.contains(request.method());
    }

    private static void checkHeaders(RpcMessage.Request request, RequestHeaders headers) {
        if (!request.method().equals(headers.method())) {
            throw McpException.headerMismatch(
                    "The header %s is missing or differs from the method.".formatted(RequestHeaders.METHOD));
        }
        String field = NAMED.get(request.method());
        if (field == null) {
            return;
        }
        String expected = request.params().path(field).textValue();
        if (expected != null && !headers.decodedName().filter(expected::equals).isPresent()) {
            throw McpException.headerMismatch(
                    "The header %s is missing or differs from '%s'.".formatted(RequestHeaders.NAME, field));
        }
    }

    /** The version of a header; the oldest version if the header is missing, as that version has no such header. */
    static McpVersion legacy(@Nullable String header) {
        if (header == null) {
            return new McpVersion(LEGACY.getLast());
        }
        if (!SUPPORTED.contains(header)) {
            throw McpException.unsupportedVersion(header, SUPPORTED);
        }
        return new McpVersion(header);
    }

    /** The version that {@code initialize} agrees on: the requested one, or the newest. */
    static String negotiate(JsonNode requested) {
        return LEGACY.stream()
                .filter(version -> version.equals(requested.textValue()))
                .findFirst()
                .orElse(NEWEST_LEGACY);
    }

    private static Optional<String> text(@Nullable JsonNode json) {
        return Optional.ofNullable(json).map(JsonNode::textValue);
    }
}
