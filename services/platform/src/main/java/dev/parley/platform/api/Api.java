package dev.parley.platform.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.platform.http.Correlation;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Client of Parley's API on behalf of a caller. Requests have the caller's key, so that the API authorises and limits
 * them.
 *
 * @param base URL of the API, without a slash at the end
 * @param caller of the requests
 */
public record Api(HttpClient http, URI base, Identity caller) {
    /** Maximum size of a response in bytes: larger ones are of no use to models and protocol clients. */
    private static final int MAX_BYTES = 4 << 20;

    /** Timeout of a request, in addition to its own wait. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Timeout of changes: a reflection takes up to two minutes. */
    private static final Duration LONGEST_WORK = Duration.ofSeconds(150);

    /**
     * The headers that identify a caller.
     *
     * @param authorization header with their key
     * @param correlation id of the request in the audit log, or null
     * @param trace header {@code traceparent}, or null
     */
    public record Identity(
            String authorization,
            @Nullable String correlation,
            @Nullable String trace) {
        @Override
        public String toString() {
            return "Identity[" + correlation + "]"; // without the key
        }
    }

    /** Sends a request. Failures of the transport are responses with the status 502, 504 or 413. */
    public ApiAnswer send(ApiRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(http(request), limit(BodyHandlers.ofByteArray()));
        Duration timeout = request.method().equals("GET") ? TIMEOUT : LONGEST_WORK;
        try {
            HttpResponse<byte[]> response =
                    answer.get(timeout.plus(request.patience()).toMillis(), TimeUnit.MILLISECONDS);
            return new ApiAnswer(
                    response.statusCode(),
                    type(response.headers()),
                    response.body(),
                    response.headers().firstValue("Retry-After").orElse(null));
        } catch (ExecutionException e) {
            return isTooLong(e)
                    ? failure(413, "too_large", "The answer has more than 4 MiB: ask for less, with a smaller limit.")
                    : failure(502, "unreachable", "Parley's API could not be reached.");
        } catch (TimeoutException e) {
            return failure(504, "timeout", "Parley's API did not answer in time.");
        } finally {
            answer.cancel(true);
        }
    }

    /** Opens an event stream, which the caller closes; empty if the request fails. */
    public Optional<InputStream> stream(ApiRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> answer =
                http.sendAsync(http(request), BodyHandlers.ofInputStream());
        try {
            HttpResponse<InputStream> response = answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() == 200) {
                return Optional.of(response.body());
            }
            response.body().close();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | IOException e) {
            answer.cancel(true);
            return Optional.empty();
        }
    }

    private HttpRequest http(ApiRequest request) {
        JsonNode body = request.body();
        var http = HttpRequest.newBuilder(URI.create(base + request.target()))
                .header("Authorization", caller.authorization())
                .header("User-Agent", "parley")
                .method(
                        request.method(),
                        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (body != null) {
            http.header("Content-Type", request.contentType());
        }
        header(http, "Idempotency-Key", request.idempotencyKey());
        header(http, Correlation.HEADER, caller.correlation());
        header(http, "traceparent", caller.trace());
        return http.build();
    }

    private static void header(HttpRequest.Builder request, String name, @Nullable String value) {
        if (value != null) {
            request.header(name, value);
        }
    }

    private static <T> BodyHandler<T> limit(BodyHandler<T> handler) {
        return BodyHandlers.limiting(handler, MAX_BYTES);
    }

    private static boolean isTooLong(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("capacity");
    }

    private static String type(HttpHeaders headers) {
        return headers.firstValue("Content-Type").orElse("").split(";", 2)[0].strip();
    }

    private static ApiAnswer failure(int status, String code, String detail) {
        byte[] body = JsonNodeFactory.instance
                .objectNode()
                .put("code", code)
                .put("detail", detail)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        return new ApiAnswer(status, "application/problem+json", body, null);
    }
}
