package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.contract.RetryAfter;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Client of the connector for one bot. Calls block; a call that broke off reports whether it may have been carried
 * out. The bot's token is sent to the connector alone; neither it nor the client secret is part of a message.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference">its
 *     reference</a>
 */
final class TeamsApi implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** Of keys and tokens, for which activities and messages wait. */
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration MAX_WAIT = Duration.ofHours(1);
    /** A token that expires sooner is replaced. */
    private static final Duration TOKEN_RESERVE = Duration.ofMinutes(5);

    private static final int MAX_ANSWER = 1 << 20;
    private static final int MAX_ERROR = 500;
    private static final int UNAUTHORIZED = 401;
    private static final int TOO_MANY = 429;

    private static final MediaType BODY = MediaType.get("application/json; charset=utf-8");
    private static final ObjectMapper JSON = ExactJson.request();

    private final TeamsCloud cloud;
    private final String app;
    private final String tenant;
    private final Supplier<String> secret;
    private final PlatformHttp<TeamsApiException> http = new PlatformHttp<>(
            (cause, inDoubt) -> TeamsApiException.noAnswer("no answer: " + cause.getMessage(), inDoubt));
    private @Nullable Token token;

    /** @param secret with which it was requested: another one needs another token */
    private record Token(String text, String secret, Deadline renewal) {}

    /** @param secret the client secret, resolved at each use */
    TeamsApi(TeamsCloud cloud, String app, String tenant, Supplier<String> secret) {
        this.cloud = cloud;
        this.app = app;
        this.tenant = tenant;
        this.secret = secret;
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    TeamsCloud cloud() {
        return cloud;
    }

    // ---- the bot's token

    /** The bot's token. @throws TeamsApiException where the bot gets none; nothing was sent then */
    synchronized String token() throws TeamsApiException, InterruptedException {
        String current = secret.get();
        Token known = token;
        if (known == null || !known.secret().equals(current) || known.renewal().passed()) {
            known = requestToken(current);
            token = known;
        }
        return known.text();
    }

    private synchronized void forget(String rejected) {
        if (token != null && token.text().equals(rejected)) {
            token = null;
        }
    }

    private Token requestToken(String current) throws TeamsApiException, InterruptedException {
        var form = new FormBody.Builder()
                .add("grant_type", "client_credentials")
                .add("client_id", app)
                .add("client_secret", current)
                .add("scope", cloud.scope())
                .build();
        var request = new Request.Builder()
                .url(cloud.token(tenant).toString())
                .post(form)
                .build();
        try {
            return http.run(request, SHORT_TIMEOUT, response -> token(response, current));
        } catch (TeamsApiException e) {
            // A token that is requested twice does no harm, and no message was sent.
            throw e.kind() == Kind.IN_DOUBT
                    ? TeamsApiException.of(Kind.LATER, String.valueOf(e.getMessage()), e.retryAfter())
                    : e;
        }
    }

    private static Token token(Response response, String current) throws IOException, TeamsApiException {
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        String text = answer.path("access_token").asText("");
        if (response.isSuccessful() && !text.isEmpty()) {
            Duration lifetime = Duration.ofSeconds(answer.path("expires_in").asLong(0));
            return new Token(text, current, Deadline.in(lifetime.minus(TOKEN_RESERVE)));
        }
        boolean passing = response.isSuccessful() || response.code() == TOO_MANY || response.code() >= 500;
        throw TeamsApiException.of(
                passing ? Kind.LATER : Kind.REVOKED,
                redact(
                        "the token was refused: %d %s %s"
                                .formatted(
                                        response.code(),
                                        answer.path("error").asText(""),
                                        firstLine(
                                                answer.path("error_description").asText(""))),
                        current),
                RetryAfter.read(response.header("Retry-After"), MAX_WAIT));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    // ---- conversations

    /** Posts an activity; the answer has its id. */
    JsonNode post(Conversation in, ObjectNode activity) throws TeamsApiException, InterruptedException {
        return call("POST", activities(in), activity);
    }

    /** Replaces an activity. */
    void put(Conversation in, String id, ObjectNode activity) throws TeamsApiException, InterruptedException {
        call("PUT", activities(in) + "/" + encode(id), activity);
    }

    /** Deletes an activity. */
    void delete(Conversation in, String id) throws TeamsApiException, InterruptedException {
        call("DELETE", activities(in) + "/" + encode(id), null);
    }

    /** Opens the one-to-one chat with a person of the tenant, or returns the one that there is. */
    Conversation open(String user) throws TeamsApiException, InterruptedException {
        ObjectNode body = object().put("isGroup", false).put("tenantId", tenant);
        body.putObject("bot").put("id", "28:" + app);
        body.putArray("members").addObject().put("id", user);
        body.putObject("channelData").putObject("tenant").put("id", tenant);
        JsonNode opened = call("POST", cloud.serviceUrl() + "/v3/conversations", body);
        String id = opened.path("id").asText("");
        if (id.isEmpty()) {
            throw TeamsApiException.of(Kind.LATER, "the opened conversation has no id", null);
        }
        String service = opened.path("serviceUrl").asText("");
        return new Conversation(cloud.isConnector(service) ? service : cloud.serviceUrl(), id);
    }

    private static String activities(Conversation in) {
        return in.serviceUrl().replaceAll("/+$", "") + "/v3/conversations/" + encode(in.id()) + "/activities";
    }

    private static String encode(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Makes a call, and once more with a new token where the cached one is rejected before anything is done. */
    private JsonNode call(String method, String url, @Nullable ObjectNode body)
            throws TeamsApiException, InterruptedException {
        String known = token();
        try {
            return call(method, url, body, known);
        } catch (TeamsApiException e) {
            if (e.status() != UNAUTHORIZED) {
                throw e;
            }
            forget(known);
            return call(method, url, body, token());
        }
    }

    private JsonNode call(String method, String url, @Nullable ObjectNode body, String bearer)
            throws TeamsApiException, InterruptedException {
        var request = new Request.Builder()
                .url(connector(url))
                .header("Authorization", "Bearer " + bearer)
                .method(
                        method,
                        body == null
                                ? null
                                : RequestBody.create(body.toString().getBytes(StandardCharsets.UTF_8), BODY))
                .build();
        return http.run(request, TIMEOUT, response -> result(method, response, bearer));
    }

    private JsonNode result(String method, Response response, String bearer) throws IOException, TeamsApiException {
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        if (response.isSuccessful()) {
            return answer;
        }
        JsonNode error = answer.path("error");
        String message = redact(
                "%s: %d %s %s"
                        .formatted(
                                method,
                                response.code(),
                                error.path("code").asText(""),
                                firstLine(error.path("message").asText(""))),
                bearer,
                secret.get());
        throw TeamsApiException.refused(
                response.code(),
                error.path("code").asText(""),
                method.equals("POST"),
                message,
                RetryAfter.read(response.header("Retry-After"), MAX_WAIT));
    }

    private HttpUrl connector(String url) throws TeamsApiException {
        HttpUrl to = HttpUrl.parse(url);
        if (to == null || !cloud.isConnector(url)) {
            throw TeamsApiException.of(Kind.REFUSED, "the URL does not belong to the connector", null);
        }
        return to;
    }

    // ---- keys and files

    /** A document with keys, or the metadata that names them. */
    JsonNode document(URI url) throws TeamsApiException, InterruptedException {
        return http.run(new Request.Builder().url(url.toString()).build(), SHORT_TIMEOUT, response -> {
            if (!response.isSuccessful()) {
                throw TeamsApiException.of(Kind.LATER, url.getHost() + " answers " + response.code(), null);
            }
            return PlatformHttp.json(response, MAX_ANSWER);
        });
    }

    /**
     * The bytes of a file that a user sent: of the connector, with the bot's token, or of SharePoint, whose URLs are
     * signed.
     *
     * @throws TeamsApiException where it is longer than {@code limit} bytes, somewhere else, or missing
     */
    byte[] download(String url, int limit) throws TeamsApiException, InterruptedException {
        var request = new Request.Builder();
        if (cloud.isConnector(url)) {
            request.url(connector(url)).header("Authorization", "Bearer " + token());
        } else {
            request.url(sharePoint(url));
        }
        return http.run(request.build(), TIMEOUT.plus(PlatformHttp.transfer(limit)), response -> {
            if (!response.isSuccessful()) {
                boolean passing = response.code() == TOO_MANY || response.code() >= 500;
                throw TeamsApiException.of(
                        passing ? Kind.LATER : Kind.REFUSED, "the file is missing: " + response.code(), null);
            }
            return PlatformHttp.bytes(response, limit)
                    .orElseThrow(() -> TeamsApiException.of(Kind.REFUSED, "the file is too large", null));
        });
    }

    private static HttpUrl sharePoint(String url) throws TeamsApiException {
        HttpUrl to = HttpUrl.parse(url);
        String host = to == null ? "" : to.host().toLowerCase(Locale.ROOT);
        boolean known = host.endsWith(".sharepoint.com") || host.endsWith(".sharepoint.us");
        if (to == null
                || !known
                || !to.isHttps()
                || to.port() != 443
                || !to.username().isEmpty()) {
            throw TeamsApiException.of(Kind.REFUSED, "the file is neither in Teams nor in SharePoint", null);
        }
        return to;
    }

    private static String redact(String text, String... secrets) {
        String redacted = text;
        for (String hidden : secrets) {
            redacted = hidden.isEmpty() ? redacted : redacted.replace(hidden, "…");
        }
        return redacted.length() > MAX_ERROR ? redacted.substring(0, MAX_ERROR) : redacted;
    }

    @Override
    public void close() {
        http.close();
    }
}
