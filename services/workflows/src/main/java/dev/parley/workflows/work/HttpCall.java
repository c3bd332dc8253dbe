package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.HttpExchange.Answer;
import java.util.Locale;
import java.util.Optional;
import okhttp3.HttpUrl;

/** {@code call: http}: a request, with the response as raw, content or whole response. */
record HttpCall(HttpExchange http) implements CallExecutor {
    /** Maximum length of a response in an error, in characters. */
    private static final int MAX_SHOWN_LENGTH = 500;

    @Override
    public String function() {
        return "http";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        Json endpoint = with.get("endpoint");
        HttpUrl url = HttpExchange.endpointUrl(endpoint, with.get("query"));
        return Optional.of(exchange(
                request, with.get("method").display(), url, with, endpoint.get("authentication"), cancellation));
    }

    /**
     * Sends a request and returns its response in the requested form.
     *
     * @param with headers, body, output, redirect
     */
    Json exchange(
            WorkRequest request, String method, HttpUrl url, Json with, Json authentication, Cancellation cancellation)
            throws CallException, InterruptedException {
        Answer answer =
                http.send(request, method, url, with.get("headers"), with.get("body"), authentication, cancellation);
        check(answer, url, with.get("redirect").isTruthy());
        return switch (with.get("output").text().orElse("content")) {
            case "raw" -> Json.of(answer.base64());
            case "response" -> response(answer, method, url, with.get("headers"));
            default -> answer.content();
        };
    }

    private static void check(Answer answer, HttpUrl url, boolean isRedirectAllowed) throws CallException {
        int maxStatus = isRedirectAllowed ? 399 : 299;
        if (answer.status() < 200 || answer.status() > maxStatus) {
            String text = answer.text();
            throw CallException.communication(
                    answer.status(),
                    "%s answers HTTP %d%s"
                            .formatted(
                                    url.host(),
                                    answer.status(),
                                    text.isBlank()
                                            ? ""
                                            : ": " + text.substring(0, Math.min(text.length(), MAX_SHOWN_LENGTH))));
        }
    }

    private static Json response(Answer answer, String method, HttpUrl url, Json headers) throws CallException {
        Json request = Json.of("method", Json.of(method.toUpperCase(Locale.ROOT)))
                .with("uri", Json.of(url.toString()))
                .with("headers", headers.isNull() ? Values.EMPTY_OBJECT : headers);
        return Json.of("request", request)
                .with("statusCode", Json.of(answer.status()))
                .with("headers", answer.headerValues())
                .with("content", answer.content());
    }
}
