package dev.parley.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Requests to a server, sent again where they were not answered and may be repeated. */
final class Requests {
    static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // what newer servers say besides
            .addModule(new SimpleModule().addDeserializer(Instant.class, new InstantReader()))
            .build();

    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final int ATTEMPTS = 6;
    private static final Set<Integer> MAY_BE_SENT_AGAIN = Set.of(429, 502, 503, 504);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** More than a request waits for a turn. */
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final URI server;
    private final String key;
    private final HttpClient http;

    Requests(URI server, String key) {
        this.server = URI.create(server.toString().replaceAll("/+$", ""));
        this.key = key;
        this.http = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    private static final class InstantReader extends JsonDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Instant.parse(parser.getText());
        }
    }

    /** A part of a path or a query. */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * What a request is answered with.
     *
     * @param body what is sent as JSON, or null for nothing
     */
    JsonNode json(String method, String path, @Nullable Object body, Map<String, String> headers) {
        try (InputStream answer = send(method, path, body, headers).body()) {
            JsonNode json = JSON.readTree(answer);
            return json == null ? JSON.nullNode() : json;
        } catch (IOException e) {
            throw new UncheckedIOException("the answer of the server was not read", e);
        }
    }

    /** What stands in an answer. */
    static <T> T read(JsonNode json, Class<T> type) {
        try {
            return JSON.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("an answer that is no " + type.getSimpleName(), e);
        }
    }

    /**
     * An answer of success, whose body is still to be read.
     *
     * @throws ParleyException for any other
     */
    HttpResponse<InputStream> send(String method, String path, @Nullable Object body, Map<String, String> headers) {
        boolean safe = Set.of("GET", "DELETE").contains(method) || headers.containsKey(IDEMPOTENCY_KEY);
        HttpRequest request = request(method, path, body, headers);
        for (int attempt = 1; ; attempt++) {
            boolean again = safe && attempt < ATTEMPTS;
            Duration pause = Duration.ofMillis(250L << attempt);
            try {
                HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
                if (response.statusCode() / 100 == 2) {
                    return response;
                }
                pause = pauseAfterRefusal(response, again, pause);
            } catch (IOException e) {
                if (!again) {
                    throw new UncheckedIOException("the server does not answer: " + e.getMessage(), e);
                }
            } catch (InterruptedException e) {
                throw interrupted();
            }
            pause(pause);
        }
    }

    /**
     * The pause before the request is sent again.
     *
     * @param usual where the server does not say it
     * @throws ParleyException where it may not be sent again
     */
    private static Duration pauseAfterRefusal(HttpResponse<InputStream> response, boolean again, Duration usual)
            throws IOException {
        try (InputStream problem = response.body()) {
            if (!again || !MAY_BE_SENT_AGAIN.contains(response.statusCode())) {
                throw refusal(response.statusCode(), problem);
            }
        }
        return response.headers()
                .firstValue("Retry-After")
                .map(Requests::seconds)
                .orElse(usual);
    }

    private HttpRequest request(String method, String path, @Nullable Object body, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(ANSWER)
                .header("Authorization", "Bearer " + key);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        headers.forEach(request::header);
        return request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes(body)))
                .build();
    }

    private static byte[] bytes(Object body) {
        try {
            return JSON.writeValueAsBytes(body);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a body that cannot be JSON", e);
        }
    }

    private static ParleyException refusal(int status, InputStream body) {
        JsonNode problem;
        try {
            problem = JSON.readTree(body);
        } catch (IOException e) {
            problem = JSON.missingNode(); // something in between has answered
        }
        String code = problem.path("code").asText("unknown");
        String detail = problem.path("detail").asText("the server answered with " + status);
        List<String> errors = new ArrayList<>();
        problem.path("errors").forEach(error -> errors.add(error.toString()));
        return new ParleyException(status, code, detail, errors);
    }

    private static Duration seconds(String value) {
        return value.matches("\\d{1,6}") ? Duration.ofSeconds(Long.parseLong(value)) : LONGEST_PAUSE;
    }

    /** Waits for a while, ten seconds at most. */
    static void pause(Duration wanted) {
        try {
            Thread.sleep(Math.min(wanted.toMillis(), LONGEST_PAUSE.toMillis()));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while it waited for the server");
    }
}
