package dev.parley.channels.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.PlatformHttp;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.RetryAfter;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.platform.http.AddressGuard;
import dev.parley.platform.http.AddressGuard.PrivateAddressException;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import okhttp3.ConnectionPool;
import okhttp3.Dns;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Sends replies as signed requests. The receiver deduplicates by id, so a request may be repeated. */
final class WebhookConnection implements Connection {
    /** Maximum length of a message in characters. */
    static final int MAX_TEXT = 8_000;

    private static final long MAX_FILE = 5 << 20;
    private static final Limits LIMITS = new Limits(50, 20, 20, Duration.ofSeconds(1), Duration.ofSeconds(1));
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Short, because a reply may wait for it. */
    private static final Duration TYPING_TIMEOUT = Duration.ofSeconds(3);

    private static final Duration MAX_WAIT = Duration.ofHours(1);
    private static final int MAX_ANSWER = 64 << 10;
    private static final int MAX_REFERENCE = 126;
    private static final Pattern ADDRESS = Pattern.compile("[\\d.]+|.*:.*");
    private static final MediaType TYPE = MediaType.get("application/json");
    private static final ObjectMapper JSON = ExactJson.stored();

    private final URI url;
    private final boolean streams;
    private final Supplier<String> secret;
    private final PlatformHttp<SendFailure> http;
    private volatile @Nullable String problem;

    /** The guard of the bot checks the address of each connection. */
    WebhookConnection(ConfiguredBot bot, Dns names) {
        this.url = bot.api();
        this.streams = bot.streams();
        this.secret = bot::token;
        this.http = new PlatformHttp<>(
                client -> addAddressGuard(client, bot.guard(), names), this::failure); // the outbox retries
    }

    private static OkHttpClient.Builder addAddressGuard(OkHttpClient.Builder client, AddressGuard guard, Dns names) {
        return client.followSslRedirects(false)
                .proxy(Proxy.NO_PROXY) // a proxy would resolve the name itself
                .dns(host -> guard.open(host, names.lookup(host)))
                .connectionPool(new ConnectionPool(16, 30, TimeUnit.SECONDS))
                .addInterceptor(chain -> {
                    String host = chain.request().url().host();
                    if (ADDRESS.matcher(host).matches()) { // no DNS lookup
                        guard.open(host, List.of(InetAddress.getByName(host)));
                    }
                    return chain.proceed(chain.request());
                });
    }

    @Override
    public List<Piece> pieces(String text) {
        return TextSplitter.split(text, MAX_TEXT).stream()
                .<Piece>map(Piece.Words::plain)
                .toList();
    }

    @Override
    public Piece.Words draft(String text) {
        return Piece.Words.plain(TextSplitter.split(text, MAX_TEXT).getFirst());
    }

    @Override
    public boolean sendsOnce() {
        return true;
    }

    @Override
    public boolean streamsTo(ConversationAddress address) {
        return streams;
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return LIMITS;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        JsonNode theirs =
                post(delivery.id(), messageBody(to, piece, delivery), TIMEOUT).path("message");
        String reference = theirs.isValueNode() && !theirs.isNull() ? theirs.asText() : "";
        boolean usable = !reference.isBlank()
                && reference.length() <= MAX_REFERENCE
                && reference.chars().noneMatch(Character::isISOControl);
        return usable ? reference : delivery.id();
    }

    private static ObjectNode messageBody(ConversationAddress to, Piece piece, Delivery delivery) {
        ObjectNode message = requestBody("message", delivery.id(), to)
                .put("turn", delivery.turn().toString())
                .put("text", "");
        switch (piece) {
            case Piece.Words words -> message.put("text", words.plain());
            case Piece.Document file ->
                message.put("text", file.caption().plain())
                        .putArray("files")
                        .addObject()
                        .put("name", file.name())
                        .put("mimeType", file.mimeType())
                        .put("size", file.bytes().length)
                        .put("data", file.bytes());
        }
        if (delivery.answers() != null) {
            message.put("replyTo", delivery.answers());
        }
        return message;
    }

    @Override
    public long largestFile() {
        return MAX_FILE;
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        String id = UUID.randomUUID().toString();
        post(id, requestBody("edit", id, address).put("message", message).put("text", words.plain()), TIMEOUT);
    }

    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        String id = UUID.randomUUID().toString();
        post(id, requestBody("typing", id, address), TYPING_TIMEOUT);
    }

    private static ObjectNode requestBody(String kind, String id, ConversationAddress to) {
        ObjectNode json =
                JSON.createObjectNode().put("id", id).put("kind", kind).put("chat", to.chat());
        return to.topic() == null ? json : json.put("topic", to.topic());
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    private JsonNode post(String id, ObjectNode json, Duration timeout) throws SendFailure, InterruptedException {
        try {
            JsonNode answer = call(id, json, timeout);
            problem = null;
            return answer;
        } catch (SendFailure e) {
            problem = e.kind() == Kind.REVOKED ? e.getMessage() : problem;
            throw e;
        }
    }

    private JsonNode call(String id, ObjectNode json, Duration timeout) throws SendFailure, InterruptedException {
        byte[] body = json.toString().getBytes(StandardCharsets.UTF_8);
        return http.run(request(id, body), timeout, this::answer);
    }

    private Request request(String id, byte[] body) throws SendFailure {
        String signature;
        try {
            signature = WebhookSignature.of(secret.get(), body, Instant.now());
        } catch (IllegalStateException e) { // the secret is missing
            throw new SendFailure(Kind.REVOKED, String.valueOf(e.getMessage()), null, e);
        }
        return new Request.Builder()
                .url(url.toString())
                .header(WebhookSignature.HEADER, signature)
                .header("Idempotency-Key", id)
                .header("User-Agent", "parley")
                .post(RequestBody.create(body, TYPE))
                .build();
    }

    /** Failures name only the host and have no cause, because the path of the URL may contain a secret. */
    private SendFailure failure(IOException e, boolean sent) {
        if (e instanceof PrivateAddressException) {
            String reason = e.getMessage() + "; configure the IP address itself if that is intended";
            return new SendFailure(Kind.REVOKED, reason, null);
        }
        String message =
                "no answer from %s: %s".formatted(url.getHost(), e.getClass().getSimpleName());
        return new SendFailure(sent ? Kind.IN_DOUBT : Kind.LATER, message, null);
    }

    private JsonNode answer(Response response) throws SendFailure {
        if (!response.isSuccessful()) {
            Duration wait = RetryAfter.read(response.header("Retry-After"), MAX_WAIT);
            boolean waits = response.code() == 429 || response.code() == 503;
            throw new SendFailure(
                    kind(response.code()), url.getHost() + " answers " + response.code(), waits ? wait : null);
        }
        try {
            return PlatformHttp.json(response, MAX_ANSWER); // the body is optional
        } catch (IOException e) {
            return JSON.missingNode(); // the message was accepted
        }
    }

    private static Kind kind(int status) {
        return switch (status) {
            case 404, 410 -> Kind.CLOSED;
            case 401, 403 -> Kind.REVOKED;
            case 408, 425, 429 -> Kind.LATER;
            default -> status >= 500 ? Kind.LATER : status >= 400 ? Kind.REFUSED : Kind.REVOKED; // a redirect
        };
    }

    @Override
    public void close() {
        http.close();
    }
}
