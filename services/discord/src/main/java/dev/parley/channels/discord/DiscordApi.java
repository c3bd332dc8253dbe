package dev.parley.channels.discord;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.discord.RateLimits.Route;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.MultipartBody;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Client of Discord's HTTP API, version 10, for one bot. Calls block, are made once, and are not made at all while a
 * rate limit applies. The token is sent in a header, and is part of no message.
 *
 * @see <a href="https://docs.discord.com/developers/reference">its reference</a>
 */
final class DiscordApi implements AutoCloseable {
    /** For best-effort calls. */
    static final Duration SHORT_TIMEOUT = Duration.ofSeconds(10);

    static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_ANSWER = 16 << 20;
    /** Discord requires the library, its URL and version. */
    private static final String AGENT = "DiscordBot (https://parley.invalid, 0.2)";

    private static final String VERSION = "/api/v10";
    private static final String OFFICIAL = "discord.com";
    private static final String GATEWAYS = ".discord.gg";
    /** Hosts of files that users send. */
    private static final Set<String> FILES = Set.of("cdn.discordapp.com", "media.discordapp.net");

    private static final Set<Integer> INVALID = Set.of(401, 403, 429);

    private static final Pattern PLACE = Pattern.compile("/(channels|guilds|webhooks)/([^/]+)");
    private static final Pattern ID = Pattern.compile("/\\d{5,20}");
    private static final MediaType JSON = MediaType.get("application/json");
    private static final ObjectMapper MAPPER = ExactJson.request();

    private final URI base;
    private final Supplier<String> token;
    private final RateLimits limits = new RateLimits(SteadyClock.OF_PROCESS);
    private final PlatformHttp<DiscordException> http = new PlatformHttp<>((cause, inDoubt) -> new DiscordException(
            DiscordException.NO_ANSWER, 0, "no answer: " + cause.getClass().getSimpleName(), inDoubt, null));

    /**
     * @param base for example {@code https://discord.com}
     *
     * @param token resolved at each call
     */
    DiscordApi(URI base, Supplier<String> token) {
        this.base = base;
        this.token = token;
    }

    /** An empty object. */
    static ObjectNode json() {
        return MAPPER.createObjectNode();
    }

    /** An empty list. */
    static ArrayNode list() {
        return MAPPER.createArrayNode();
    }

    /**
     * Parses a gateway payload.
     *
     * @throws IllegalArgumentException where it is not valid JSON; its message does not quote the payload
     */
    static JsonNode read(String text) {
        try {
            return Optional.ofNullable(MAPPER.readTree(text)).orElseGet(MAPPER::missingNode);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not valid JSON: " + e.getClass().getSimpleName(), e);
        }
    }

    /** A call of the API. */
    interface Call {
        JsonNode make() throws DiscordException, InterruptedException;
    }

    JsonNode get(String path) throws DiscordException, InterruptedException {
        return call("GET", path, null, TIMEOUT);
    }

    JsonNode post(String path, ObjectNode body) throws DiscordException, InterruptedException {
        return call("POST", path, body, TIMEOUT);
    }

    /**
     * Makes a call.
     *
     * @param path without the version, {@code /channels/1/messages}; may have a query
     * @param body or null
     * @throws DiscordException for a refusal, without an answer, or while rate limited
     */
    JsonNode call(String method, String path, @Nullable JsonNode body, Duration patience)
            throws DiscordException, InterruptedException {
        boolean bodiless = method.equals("GET") || method.equals("DELETE");
        RequestBody sent = body == null
                ? bodiless ? null : RequestBody.create(new byte[0], null)
                : RequestBody.create(body.toString().getBytes(StandardCharsets.UTF_8), JSON);
        return make(method, path, sent, patience);
    }

    /** Sends a message with a file. */
    JsonNode upload(String path, ObjectNode message, String name, String mimeType, byte[] bytes)
            throws DiscordException, InterruptedException {
        MediaType type = MediaType.parse(mimeType);
        var form = new MultipartBody.Builder()
                .setType(MultipartBody.FORM)
                .addFormDataPart(
                        "payload_json",
                        null,
                        RequestBody.create(message.toString().getBytes(StandardCharsets.UTF_8), JSON))
                .addFormDataPart("files[0]", name, RequestBody.create(bytes, type));
        return make("POST", path, form.build(), TIMEOUT.plus(PlatformHttp.transfer(bytes.length)));
    }

    private JsonNode make(String method, String path, @Nullable RequestBody body, Duration patience)
            throws DiscordException, InterruptedException {
        Route route = route(method, path);
        Optional<Duration> remaining = limits.remainingWait(route);
        if (remaining.isPresent()) {
            throw new DiscordException(429, 0, "429 rate limited", false, remaining.get());
        }
        var request = new Request.Builder()
                .url(base + VERSION + path)
                .method(method, body)
                .header("Authorization", "Bot " + token.get())
                .header("User-Agent", AGENT)
                .build();
        return http.run(request, patience, response -> result(route, response));
    }

    /** The route of a call and its rate limit scope. */
    static Route route(String method, String path) {
        String pathOnly = path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
        if (pathOnly.startsWith("/interactions/")) {
            return new Route(method + " /interactions", secret(pathOnly));
        }
        var matcher = PLACE.matcher(pathOnly);
        String scopeId = matcher.lookingAt() ? matcher.group(2) : "";
        String remainder = scopeId.isEmpty() ? pathOnly : pathOnly.substring(matcher.end());
        String name = (scopeId.isEmpty() ? "" : "/" + matcher.group(1))
                + ID.matcher(remainder).replaceAll("/*");
        if (name.startsWith("/webhooks/") || name.equals("/webhooks")) {
            return new Route(method + " /webhooks", secret(pathOnly));
        }
        return new Route(method + " " + name, scopeId);
    }

    /** Each interaction has limits of its own, but the token in its path is a secret. */
    private static String secret(String path) {
        return ByteString.encodeUtf8(path.replaceAll("/(messages/@original|callback)$", ""))
                .sha256()
                .hex();
    }

    private JsonNode result(Route route, Response response) throws IOException, DiscordException {
        limits.update(
                route,
                response.header("X-RateLimit-Bucket"),
                response.header("X-RateLimit-Remaining"),
                response.header("X-RateLimit-Reset-After"));
        JsonNode answer = PlatformHttp.json(response, MAX_ANSWER);
        int status = response.code();
        if (response.isSuccessful() && (status == 204 || !answer.isMissingNode())) {
            return answer;
        }
        if (INVALID.contains(status)) {
            limits.onInvalid();
        }
        throw new DiscordException(
                status,
                answer.path("code").asInt(),
                status + " " + redact(answer.path("message").asText("without a description")),
                status >= 500 || response.isSuccessful(), // a gateway's error, or an answer that broke off
                status == 429 ? recordRateLimit(route, response, answer) : null);
    }

    /** Records a rate limit; returns the wait that Discord asks for. */
    private Duration recordRateLimit(Route route, Response response, JsonNode answer) {
        String retryAfter =
                answer.has("retry_after") ? answer.get("retry_after").asText() : response.header("Retry-After");
        Duration wait = RateLimits.seconds(retryAfter).orElse(Duration.ofSeconds(1));
        boolean isGlobal = answer.path("global").asBoolean() || response.header("X-RateLimit-Global") != null;
        limits.onRateLimited(route, wait, isGlobal);
        return wait;
    }

    /**
     * The bytes of a file that a user sent.
     *
     * @throws DiscordException where it is longer than {@code limit} bytes, missing, or not at Discord
     */
    byte[] download(String url, int limit) throws DiscordException, InterruptedException {
        HttpUrl address = HttpUrl.parse(url);
        if (address == null || !isOfDiscord(address)) {
            throw new DiscordException(400, 0, "the file is not at Discord", false, null);
        }
        var request =
                new Request.Builder().url(address).header("User-Agent", AGENT).build();
        return http.run(request, TIMEOUT, response -> {
            if (!response.isSuccessful()) {
                throw new DiscordException(response.code(), 0, "the file is missing: " + response.code(), false, null);
            }
            return PlatformHttp.bytes(response, limit)
                    .orElseThrow(() -> new DiscordException(400, 0, "the file is too large", false, null));
        });
    }

    /** Whether a file is at one of Discord's hosts, or at the configured API. */
    private boolean isOfDiscord(HttpUrl url) {
        return url.isHttps() && FILES.contains(url.host()) || isBase(url.host(), url.port());
    }

    private boolean isBase(String host, int port) {
        HttpUrl baseUrl = HttpUrl.get(base);
        return baseUrl != null
                && !baseUrl.host().equals(OFFICIAL)
                && baseUrl.host().equals(host)
                && baseUrl.port() == port;
    }

    /**
     * Opens a connection to a gateway, which receives the token.
     *
     * @throws IllegalArgumentException where the URL does not belong to Discord
     */
    WebSocket open(String url, WebSocketListener listener) {
        URI address = URI.create(url);
        String host = String.valueOf(address.getHost()).toLowerCase(Locale.ROOT);
        boolean theirs = "wss".equals(address.getScheme()) && host.endsWith(GATEWAYS);
        if (!theirs && !isBase(host, address.getPort())) {
            throw new IllegalArgumentException("the gateway " + host + " does not belong to Discord");
        }
        return http.open(
                new Request.Builder().url(url).build(), Duration.ZERO, listener); // the gateway has its own heartbeats
    }

    String token() {
        return token.get();
    }

    private String redact(String text) {
        return text.replace(token.get(), "…");
    }

    @Override
    public void close() {
        http.close();
    }
}
