package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The version of the protocol that a request speaks. Since 2026-07-28 each request says so itself, in {@code _meta}, and repeats in
 * headers what it is about; before, a client greets the server with {@code initialize}. Parley keeps nothing between requests of either.
 */
record ProtocolVersion(String version) {
    /** The version without a greeting. */
    static final String MODERN = "2026-07-28";

    /** The newest version with a greeting. */
    static final String NEWEST_LEGACY = "2025-11-25";

    /** Versions with a greeting, the newest first. */
    static final List<String> LEGACY = List.of(NEWEST_LEGACY, "2025-06-18", "2025-03-26");

    /** All that is spoken here, the newest first. */
    static final List<String> SUPPORTED = List.of(MODERN, NEWEST_LEGACY, "2025-06-18", "2025-03-26");

    static final String META = "io.modelcontextprotocol/";
    private static final String META_VERSION = META + "protocolVersion";
    private static final String META_CAPABILITIES = META + "clientCapabilities";

    /** Of which methods a header repeats which parameter. */
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    /** Methods that no earlier version has. */
    private static final List<String> NEW_METHODS = List.of("server/discover", "subscriptions/listen");

    boolean isModern() {
        return version.equals(MODERN);
    }

    /**
     * Finds out what a request speaks.
     *
     * @throws RpcException where it says so nowhere, twice and differently, or where nobody here speaks it
     */
    static ProtocolVersion of(Message.Request request, RequestHeaders headers) {
        ObjectNode meta = request.meta();
        if (!isModern(request, meta, headers.version())) {
            return legacy(headers.version());
        }
        String version = text(meta.get(META_VERSION))
                .orElseThrow(() -> RpcException.malformed("'_meta' has no '" + META_VERSION + "'."));
        if (headers.version() == null || !version.equals(headers.version())) {
            throw RpcException.headerMismatch(
                    "The header %s is missing, or does not say what '_meta' says.".formatted(RequestHeaders.VERSION));
        }
        if (!SUPPORTED.contains(version)) {
            throw RpcException.unsupportedVersion(version, SUPPORTED);
        }
        if (!version.equals(MODERN)) {
            return new ProtocolVersion(version);
        }
        if (!meta.path(META_CAPABILITIES).isObject()) {
            throw RpcException.malformed("'_meta' has no '" + META_CAPABILITIES + "'.");
        }
        checkHeaders(request, headers);
        return new ProtocolVersion(MODERN);
    }

    private static boolean isModern(Message.Request request, ObjectNode meta, @Nullable String header) {
        return meta.has(META_VERSION)
                || meta.has(META_CAPABILITIES)
                || MODERN.equals(header)
                || NEW_METHODS.contains(request.method());
    }

    private static void checkHeaders(Message.Request request, RequestHeaders headers) {
        if (!request.method().equals(headers.method())) {
            throw RpcException.headerMismatch(
                    "The header %s is missing, or is not the method.".formatted(RequestHeaders.METHOD));
        }
        String field = NAMED.get(request.method());
        if (field == null) {
            return;
        }
        String wanted = request.params().path(field).textValue();
        if (wanted != null && !headers.decodedName().filter(wanted::equals).isPresent()) {
            throw RpcException.headerMismatch(
                    "The header %s is missing, or is not '%s'.".formatted(RequestHeaders.NAME, field));
        }
    }

    /** The version that a header names; the oldest one where it is missing, for that one has no such header. */
    static ProtocolVersion legacy(@Nullable String header) {
        if (header == null) {
            return new ProtocolVersion(LEGACY.getLast());
        }
        if (!SUPPORTED.contains(header)) {
            throw RpcException.unsupportedVersion(header, SUPPORTED);
        }
        return new ProtocolVersion(header);
    }

    /** The version in which a greeting is answered: the one that the client would like, or the newest one. */
    static String greeted(JsonNode wanted) {
        return LEGACY.stream()
                .filter(version -> version.equals(wanted.textValue()))
                .findFirst()
                .orElse(NEWEST_LEGACY);
    }

    private static Optional<String> text(@Nullable JsonNode json) {
        return Optional.ofNullable(json).map(JsonNode::textValue);
    }
}
