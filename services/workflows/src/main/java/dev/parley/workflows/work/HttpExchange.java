package dev.parley.workflows.work;

import dev.parley.domain.Sha256;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.outbound.HeaderName;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.outbound.Outbound.KeyRefusedException;
import dev.parley.platform.outbound.TextDecoder;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.definition.YamlDocument;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client for requests of definitions: never to the operator's own network, only with keys that the operator allows
 * for the host, and without redirects.
 */
final class HttpExchange implements AutoCloseable {
    /** Maximum size of a response in bytes. */
    private static final int MAX_BYTES = 1 << 20;

    private static final MediaType JSON = MediaType.get("application/json");

    private final Outbound outbound;

    HttpExchange(Outbound outbound) {
        this.outbound = outbound;
    }

    /** The client that all calls derive theirs from; it has no powers. */
    Outbound outbound() {
        return outbound;
    }

    private Outbound outbound(WorkRequest call) {
        return outbound.in(CallExecutors.scope(call));
    }

    /** A response. */
    record Answer(int status, Map<String, String> headers, String media, byte[] body) {
        /** The body: JSON if its media type says so, else text. */
        Json content() throws CallException {
            String text = text();
            if (!media.contains("json")) {
                return Json.of(text);
            }
            try {
                return text.isBlank() ? Values.NULL : JsonText.read(text);
            } catch (IllegalArgumentException e) {
                throw CallException.communication(
                        "the response is declared as JSON but cannot be read: " + e.getMessage(), e);
            }
        }

        String text() {
            MediaType type = headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase("Content-Type"))
                    .map(header -> MediaType.parse(header.getValue()))
                    .findFirst()
                    .orElse(null);
            return TextDecoder.decode(body, type == null ? null : type.parameter("charset"));
        }

        String base64() {
            return Base64.getEncoder().encodeToString(body);
        }

        Json headerValues() {
            var values = new LinkedHashMap<String, Json>();
            headers.forEach((name, value) -> values.put(name, Json.of(value)));
            return Json.of(values);
        }
    }

    /** A URL, with parameters in its query. */
    static HttpUrl url(Json uri, Json query) throws CallException {
        HttpUrl url;
        try {
            url = Outbound.url("endpoint", uri.display());
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(e.getMessage() + ": '" + uri.display() + "'");
        }
        HttpUrl.Builder builder = url.newBuilder();
        query.map().forEach((name, value) -> {
            if (value instanceof Json.Arr) {
                value.list().forEach(item -> builder.addQueryParameter(name, item.display()));
            } else if (!value.isNull()) {
                builder.addQueryParameter(name, value.display());
            }
        });
        return builder.build();
    }

    /**
     * Sends a request.
     *
     * @param body null for none
     * @param authentication as in the definition; null for none
     */
    Answer send(
            WorkRequest call,
            String method,
            HttpUrl url,
            Json headers,
            Json body,
            Json authentication,
            Cancellation cancellation)
            throws CallException, InterruptedException {
        Request request = request(call, method, url, headers, body, authentication);
        try (Response response = outbound(call).begin(request, cancellation).execute()) {
            return answer(response);
        } catch (IOException e) {
            throw CallException.communication(Outbound.describeFailure(e, url, cancellation), e);
        }
    }

    /**
     * Fetches a document in JSON or YAML.
     *
     * @param endpoint a URI, or an object with {@code uri} and {@code authentication}
     */
    Json document(WorkRequest call, Json endpoint, Cancellation cancellation)
            throws CallException, InterruptedException {
        String text = text(call, endpoint, cancellation);
        try {
            return YamlDocument.read(text);
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(
                    "the document at " + endpointUrl(endpoint) + " cannot be read: " + e.getMessage(), e);
        }
    }

    static HttpUrl endpointUrl(Json endpoint) throws CallException {
        return endpointUrl(endpoint, Values.NULL);
    }

    static HttpUrl endpointUrl(Json endpoint, Json query) throws CallException {
        return url(endpoint instanceof Json.Obj ? endpoint.get("uri") : endpoint, query);
    }

    /** Fetches a document as text. */
    String text(WorkRequest call, Json endpoint, Cancellation cancellation) throws CallException, InterruptedException {
        HttpUrl url = endpointUrl(endpoint);
        Json authentication = endpoint.get("authentication");
        Answer answer = send(call, "GET", url, Values.NULL, Values.NULL, authentication, cancellation);
        if (answer.status() != 200) {
            throw CallException.communication(
                    answer.status(), "the document at " + url + " is answered with HTTP " + answer.status());
        }
        return answer.text();
    }

    private Request request(WorkRequest call, String method, HttpUrl url, Json headers, Json body, Json authentication)
            throws CallException {
        var request = new Request.Builder().url(url).header("User-Agent", "parley");
        String media = addHeaders(request, headers);
        request.header("Idempotency-Key", key(call.idempotencyKey()));
        authorization(call, url, authentication).ifPresent(value -> request.header("Authorization", value));
        try {
            return request.method(method.toUpperCase(Locale.ROOT), body(method, body, media))
                    .build();
        } catch (IllegalArgumentException e) {
            throw CallException.configuration("the request cannot be sent: " + e.getMessage());
        }
    }

    /** @return the media type of the body, or null */
    private static @Nullable String addHeaders(Request.Builder request, Json headers) throws CallException {
        String media = null;
        for (Map.Entry<String, Json> header : headers.map().entrySet()) {
            String name = header.getKey();
            String value = header.getValue().display();
            try {
                HeaderName.requireValid("headers", Map.of(name, value));
            } catch (IllegalArgumentException e) {
                throw CallException.configuration(String.valueOf(e.getMessage()));
            }
            if (name.equalsIgnoreCase("content-type")) {
                media = value;
            }
            request.header(name, value);
        }
        return media;
    }

    /** The idempotency key as a header value: hashed if it is too long or has other than printable characters. */
    static String key(String key) {
        return key.chars().allMatch(c -> c > ' ' && c < 127) && key.length() <= 255 ? key : Sha256.hex(key);
    }

    private static @Nullable RequestBody body(String method, Json body, @Nullable String media) {
        boolean allowsBody = !method.equalsIgnoreCase("get") && !method.equalsIgnoreCase("head");
        if (!allowsBody) {
            return null;
        }
        if (body.isNull()) {
            boolean requiresBody = Set.of("POST", "PUT", "PATCH").contains(method.toUpperCase(Locale.ROOT));
            return requiresBody ? RequestBody.create(new byte[0], null) : null;
        }
        boolean text = body instanceof Json.Str && media != null && !media.contains("json");
        String content = text ? body.display() : body.toString();
        return RequestBody.create(
                content.getBytes(StandardCharsets.UTF_8), media == null ? JSON : MediaType.parse(media));
    }

    /**
     * The header {@code Authorization}, with keys that are allowed for this host.
     *
     * @param authentication null for none
     */
    Optional<String> authorization(WorkRequest call, HttpUrl url, Json authentication) throws CallException {
        if (!authentication.isNull() && !(authentication instanceof Json.Obj)) {
            throw CallException.configuration("'authentication' is an object, not " + authentication.type());
        }
        Optional<String> value = Optional.empty();
        for (Map.Entry<String, Json> scheme : authentication.map().entrySet()) {
            Json credentials = scheme.getValue();
            value = Optional.of(
                    switch (scheme.getKey()) {
                        case "basic" ->
                            Credentials.basic(
                                    secret(call, credentials.get("username"), url),
                                    secret(call, credentials.get("password"), url),
                                    StandardCharsets.UTF_8);
                        case "bearer" -> "Bearer " + secret(call, credentials.get("token"), url);
                        default ->
                            throw CallException.configuration("the authentication '" + scheme.getKey()
                                    + "' is not supported; basic and bearer are");
                    });
        }
        return value;
    }

    /** The key behind a reference, if the caller may send it to this host; other text unchanged. */
    private String secret(WorkRequest call, Json value, HttpUrl url) throws CallException {
        String text = value.display();
        if (!Secrets.REFERENCE.matcher(text).matches()) {
            return text;
        }
        try {
            return outbound(call).secret(text, url);
        } catch (KeyRefusedException e) {
            throw CallException.configuration(e.why(), e);
        }
    }

    private static Answer answer(Response response) throws IOException, CallException {
        ResponseBody body = response.body();
        BufferedSource source = body.source();
        if (source.request(MAX_BYTES + 1L)) {
            throw CallException.communication(
                    "the answer of " + response.request().url().host() + " is longer than 1 MiB");
        }
        var headers = new LinkedHashMap<String, String>();
        response.headers()
                .forEach(header -> headers.put(header.getFirst().toLowerCase(Locale.ROOT), header.getSecond()));
        MediaType media = body.contentType();
        return new Answer(
                response.code(),
                headers,
                media == null ? "" : media.toString().toLowerCase(Locale.ROOT),
                source.readByteArray());
    }

    @Override
    public void close() {
        outbound.close();
    }
}
