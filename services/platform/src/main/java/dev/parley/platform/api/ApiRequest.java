package dev.parley.platform.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request to Parley's API.
 *
 * @param path with encoded segments
 * @param query parameters by name
 * @param contentType of the body
 * @param idempotencyKey makes a change happen once; null for reads and idempotent changes
 * @param patience time for which the API waits for the end of the operation
 */
public record ApiRequest(
        String method,
        String path,
        Map<String, String> query,
        @Nullable JsonNode body,
        String contentType,
        @Nullable String idempotencyKey,
        Duration patience) {
    private static final String JSON = "application/json";

    public ApiRequest {
        query = Map.copyOf(query);
    }

    /**
     * A GET request.
     *
     * @param path with {@code {}} for each segment
     */
    public static ApiRequest get(String path, String... segments) {
        return new ApiRequest("GET", fillPath(path, segments), Map.of(), null, JSON, null, Duration.ZERO);
    }

    /**
     * A POST request.
     *
     * @param path with {@code {}} for each segment
     */
    public static ApiRequest post(String path, String... segments) {
        return new ApiRequest(
                "POST",
                fillPath(path, segments),
                Map.of(),
                JsonNodeFactory.instance.objectNode(),
                JSON,
                null,
                Duration.ZERO);
    }

    private static String fillPath(String path, String... segments) {
        var filled = new StringBuilder();
        int from = 0;
        for (String segment : segments) {
            int index = path.indexOf("{}", from);
            filled.append(path, from, index).append(encode(segment));
            from = index + 2;
        }
        return filled.append(path.substring(from)).toString();
    }

    /** Encodes a text as exactly one path segment or query value. */
    public static String encode(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return encoded.equals(".") ? "%2E" : encoded.equals("..") ? "%2E%2E" : encoded;
    }

    /** This request with a query parameter, unless its value is null. */
    public ApiRequest with(String name, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        var extended = new LinkedHashMap<>(query);
        extended.put(name, value.toString());
        return new ApiRequest(method, path, extended, body, contentType, idempotencyKey, patience);
    }

    /** This request with a JSON body. */
    public ApiRequest body(JsonNode json) {
        return new ApiRequest(method, path, query, json, contentType, idempotencyKey, patience);
    }

    /** This request with a JSON body of this content type. */
    public ApiRequest body(JsonNode json, String type) {
        return new ApiRequest(method, path, query, json, type, idempotencyKey, patience);
    }

    /** This request with an idempotency key. */
    public ApiRequest once(String key) {
        return new ApiRequest(method, path, query, body, contentType, key, patience);
    }

    /** This request, with a wait for the end of the operation. */
    public ApiRequest waiting(Duration timeout) {
        ApiRequest waits = new ApiRequest(method, path, query, body, contentType, idempotencyKey, timeout);
        return timeout.isPositive() ? waits.with("wait", timeout.toMillis() + "ms") : waits;
    }

    /** The path with its query. */
    public String target() {
        return query.isEmpty()
                ? path
                : query.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(parameter -> parameter.getKey() + "=" + encode(parameter.getValue()))
                        .collect(Collectors.joining("&", path + "?", ""));
    }
}
