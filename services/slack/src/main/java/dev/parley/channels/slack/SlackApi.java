package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.contract.RetryAfter;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;

/**
 * Client of Slack's Web API for one bot. Calls block; a call that broke off reports whether it may have been carried
 * out. The token is sent in a header, only to the API and to Slack URLs that it returns; it is part of no message.
 *
 * @see <a href="https://docs.slack.dev/apis/web-api/">its reference</a>
 */
final class SlackApi implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** A WebSocket that does not answer a ping before the next one is closed. */
    private static final Duration PING = Duration.ofSeconds(15);

    private static final Duration MAX_WAIT = Duration.ofHours(1);
    private static final int TOO_MANY = 429;
    private static final int MAX_ANSWER = 4 << 20;

    private static final String SCOPES = "X-OAuth-Scopes";
    private static final String SLACK = "slack.com";
    private static final MediaType BYTES = MediaType.get("application/octet-stream");
    private static final ObjectMapper JSON = ExactJson.request();

    private final URI base;
    private final Supplier<String> token;
    private final PlatformHttp<SlackApiException> http = new PlatformHttp<>((cause, inDoubt) -> new SlackApiException(
            SlackApiException.NO_ANSWER, "no answer: " + redact(cause.toString(), ""), inDoubt, null));

    /**
     * @param base for example {@code https://slack.com/api}
     *
     * @param token resolved at each call
     */
    SlackApi(URI base, Supplier<String> token) {
        this.base = base;
        this.token = token;
    }

    /** An empty object for parameters. */
    static ObjectNode params() {
        return JSON.createObjectNode();
    }

    /**
     * Calls a method as the bot.
     *
     * @throws SlackApiException for a refusal, or without an answer
     */
    JsonNode call(String method, ObjectNode params) throws SlackApiException, InterruptedException {
        return call(method, params, token);
    }

    /** Calls a method with another token. Every method accepts a form; not every one accepts JSON. */
    JsonNode call(String method, ObjectNode params, Supplier<String> tokens)
            throws SlackApiException, InterruptedException {
        String secret = tokens.get();
        return http.run(request(method, params, secret), TIMEOUT, response -> result(method, response, secret));
    }

    /**
     * The owner of the token.
     *
     * @param me the answer of {@code auth.test}
     * @param scopes of the token; empty where Slack does not report them
     */
    record Identity(JsonNode me, Set<String> scopes) {}

    Identity identity() throws SlackApiException, InterruptedException {
        String method = "auth.test";
        String secret = token.get();
        return http.run(
                request(method, params(), secret),
                TIMEOUT,
                response -> new Identity(result(method, response, secret), scopes(response)));
    }

    private static Set<String> scopes(Response response) {
        String header = Objects.requireNonNullElse(response.header(SCOPES), "");
        return Arrays.stream(header.split("[,\\s]+"))
                .filter(scope -> !scope.isEmpty())
                .collect(Collectors.toSet());
    }

    private Request request(String method, ObjectNode params, String secret) {
        var form = new FormBody.Builder();
        params.properties()
                .forEach(field -> form.add(
                        field.getKey(),
                        field.getValue().isTextual()
                                ? field.getValue().asText()
                                : field.getValue().toString()));
        return new Request.Builder()
                .url(base + "/" + method)
                .header("Authorization", "Bearer " + secret)
                .post(form.build())
                .build();
    }

    /** Uploads a file to the URL that the API returned. */
    void upload(String url, byte[] bytes) throws SlackApiException, InterruptedException {
        var request = new Request.Builder()
                .url(requireTrusted(url))
                .post(RequestBody.create(bytes, BYTES))
                .build();
        http.run(request, TIMEOUT.plus(PlatformHttp.transfer(bytes.length)), response -> {
            if (!response.isSuccessful()) {
                throw new SlackApiException(
                        "upload_failed", "the upload failed: " + response.code(), response.code() >= 500, null);
            }
            return response.code();
        });
    }

    /**
     * The bytes of a file that a user sent.
     *
     * @param html whether it may be HTML: without the scope to read files, Slack returns a page instead
     * @throws SlackApiException where it is longer than {@code limit} bytes, not at Slack, or missing
     */
    byte[] download(String url, int limit, boolean html) throws SlackApiException, InterruptedException {
        var request = new Request.Builder()
                .url(requireTrusted(url))
                .header("Authorization", "Bearer " + token.get())
                .build();
        return http.run(request, TIMEOUT, response -> {
            String type = String.valueOf(response.header("Content-Type")).toLowerCase(Locale.ROOT);
            if (!response.isSuccessful() || (!html && type.startsWith("text/html"))) {
                boolean passing = response.code() == TOO_MANY || response.code() >= 500;
                throw new SlackApiException("file_not_found", "the file is missing: " + response.code(), passing, null);
            }
            return PlatformHttp.bytes(response, limit)
                    .orElseThrow(() -> new SlackApiException("file_too_large", "the file is too large", false, null));
        });
    }

    /** Opens a WebSocket to a URL that the API returned. */
    WebSocket socket(String url, WebSocketListener listener) throws SlackApiException {
        HttpUrl to = requireTrusted(url.replaceFirst("^ws", "http"));
        return http.open(new Request.Builder().url(to).build(), PING, listener);
    }

    /**
     * A URL of an event or answer that leads to Slack: https to one of its hosts, or the configured API. No other host
     * gets a request or the token.
     */
    private HttpUrl requireTrusted(String url) throws SlackApiException {
        HttpUrl to = HttpUrl.parse(url);
        if (to != null && to.username().isEmpty() && isSlack(to)) {
            return to;
        }
        throw new SlackApiException("foreign_address", "the URL does not belong to Slack", false, null);
    }

    private boolean isSlack(HttpUrl to) {
        HttpUrl api = HttpUrl.get(base.toString());
        boolean isBase = to.host().equals(api.host())
                && to.port() == api.port()
                && to.scheme().equals(api.scheme());
        boolean hosted = api.host().equals(SLACK) || api.host().endsWith("." + SLACK);
        return isBase
                || (hosted && to.isHttps() && to.port() == 443 && to.host().endsWith("." + SLACK));
    }

    private static JsonNode result(String method, Response response, String secret)
            throws IOException, SlackApiException {
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        if (response.isSuccessful() && answer.path("ok").asBoolean()) {
            return answer;
        }
        boolean fast = response.code() == TOO_MANY;
        String error = fast ? "ratelimited" : answer.path("error").asText("");
        // A gateway's error, or an answer that broke off.
        boolean doubt = !fast && (response.code() >= 500 || (response.isSuccessful() && error.isEmpty()));
        throw new SlackApiException(
                error,
                "%s: %d %s"
                        .formatted(
                                method,
                                response.code(),
                                error.isEmpty() ? "without an explanation" : redact(error, secret)),
                doubt,
                RetryAfter.read(response.header("Retry-After"), MAX_WAIT));
    }

    private static String redact(String text, String secret) {
        String redacted = secret.isEmpty() ? text : text.replace(secret, "…");
        return redacted.replaceAll("xox[a-z]-[\\w-]+|xapp-[\\w-]+|ticket=[^&\\s]+", "…");
    }

    @Override
    public void close() {
        http.close();
    }
}
