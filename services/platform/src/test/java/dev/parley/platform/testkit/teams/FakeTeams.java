package dev.parley.platform.testkit.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.WebSocketDouble;
import dev.parley.platform.testkit.WebSocketDouble.Request;
import dev.parley.platform.testkit.WebSocketDouble.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A tenant of Teams with one app. It accepts what the connector accepts and rejects what it rejects; activities go to
 * the app's messaging endpoint with a signed token.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference">the
 *     connector</a>
 */
public final class FakeTeams implements AutoCloseable {
    /** The id of the app. */
    public static final String APP = "11111111-2222-3333-4444-555555555555";

    /** The tenant. */
    public static final String TENANT = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";

    private static final ObjectMapper JSON = new ObjectMapper();
    /** As UTF-16. */
    private static final int MOST_BYTES = 100 << 10;

    private static final int MOST_ACTIONS = 6;

    private final HttpClient client = HttpClient.newHttpClient();
    private final WebSocketDouble server;
    private final TeamsTokens tokens = new TeamsTokens();
    private final Map<String, TeamsMessage> messages = new LinkedHashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, Deque<Long>> requests = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private final Set<String> closed = new HashSet<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final List<TeamsCall> calls = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final TeamsStreams streams = new TeamsStreams(messages, this::nextId, violations::add);
    private volatile String secret;
    private volatile String bearer = "";
    private volatile Endpoint endpoint = (_, _) -> new Answer(0, "");
    private boolean patient;
    private int tokensGiven;
    private long time = 1_700_000_000_000L;
    private int number;

    private record Fault(
            String method,
            int status,
            String code,
            String message,
            @Nullable String retryAfter,
            boolean cut) {}

    /** Takes activities. */
    @FunctionalInterface
    public interface Endpoint {
        Answer post(String token, byte[] body) throws IOException, InterruptedException;
    }

    /** The answer to an activity. */
    public record Answer(int status, String body) {}

    public FakeTeams(String secret) throws IOException {
        this.secret = secret;
        this.server = new WebSocketDouble(this::answer, _ -> {});
    }

    /** The base of all its services. */
    public URI api() {
        return server.url();
    }

    /** The service URL in activities. */
    public String serviceUrl() {
        return api() + "/emea/";
    }

    public TeamsTokens tokens() {
        return tokens;
    }

    /** Where activities go. */
    public void endpoint(Endpoint receiver) {
        endpoint = receiver;
    }

    /** The messaging endpoint of the app, to which activities go. */
    public void endpoint(URI url) {
        endpoint = (token, body) -> {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(url)
                            .timeout(Duration.ofSeconds(40))
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + token)
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        };
    }

    /** The client secret is replaced. */
    public void secretIs(String other) {
        secret = other;
        bearer = "";
    }

    /** Takes requests at any rate from now on. */
    public synchronized void isPatient() {
        patient = true;
        streams.isPatient();
    }

    /** The tokens of the app are no longer valid. */
    public void forgetsTokens() {
        bearer = "";
    }

    // ---- people, chats, files

    /** The private chat of a new person with the bot. */
    public synchronized TeamsChat direct(String name) {
        String person = UUID.nameUUIDFromBytes((name + ++number).getBytes(StandardCharsets.UTF_8))
                .toString();
        return new TeamsChat(this, "a:1" + person.replace("-", "") + "_chat", "personal", person, name);
    }

    /** A channel of a team, as a person sees it. */
    public TeamsChat channel(String name, TeamsChat person) {
        return new TeamsChat(this, "19:" + name + "@thread.tacv2", "channel", person.person(), person.name());
    }

    /** A group chat, as a person sees it. */
    public TeamsChat group(String name, TeamsChat person) {
        return new TeamsChat(this, "19:" + name + "@thread.v2", "groupChat", person.person(), person.name());
    }

    synchronized String nextId() {
        return Long.toString(++time);
    }

    synchronized void closes(String conversation) {
        closed.add(conversation);
    }

    synchronized String file(byte[] bytes) {
        String path = "/files/" + ++number;
        files.put(path, bytes);
        return api() + path;
    }

    // ---- what was done

    /** The bot's messages in a conversation, whatever the thread, in the order of their arrival. */
    synchronized List<TeamsMessage> messages(String conversation) {
        return messages.values().stream()
                .filter(message -> base(message.conversation()).equals(conversation))
                .toList();
    }

    /** All calls of the connector, in order. */
    public synchronized List<TeamsCall> calls(String method) {
        return calls.stream().filter(call -> call.method().equals(method)).toList();
    }

    /** Violations of Teams' rules by the bot, such as its rate limits. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** How many tokens the app was given. */
    public synchronized int tokensGiven() {
        return tokensGiven;
    }

    // ---- faults

    /**
     * The next calls with this method fail with this error, but for typing indicators.
     *
     * @param retryAfter seconds, or null
     */
    public synchronized void failNext(
            String method, int times, int status, String code, String message, @Nullable String retryAfter) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(method, status, code, message, retryAfter, false));
        }
    }

    /** The next call with this method is carried out, but its answer is lost. */
    public synchronized void cutAfter(String method) {
        faults.add(new Fault(method, 0, "", "", null, true));
    }

    /** The user presses the stop button of the streams of a conversation. */
    public synchronized void stops(TeamsChat chat) {
        streams.stop(chat.id());
    }

    /** All streams have been open for too long. */
    public synchronized void streamsExpire() {
        streams.expire();
    }

    // ---- activities

    /** Brings an activity to the bot with a valid token. */
    public Answer deliver(JsonNode activity) {
        return deliver(
                activity,
                tokens.signed(
                        TeamsTokens.claims(APP, activity.path("serviceUrl").asText())
                                .build()));
    }

    /** Brings an activity to the bot with this token. */
    public Answer deliver(JsonNode activity, String token) {
        synchronized (this) {
            known.add(base(activity.path("conversation").path("id").asText()));
        }
        try {
            return endpoint.post(token, activity.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    // ---- the services

    private synchronized @Nullable Response answer(Request request) {
        String path = request.path();
        if (path.equals("/" + TENANT + "/oauth2/v2.0/token")) {
            return token(request.text());
        }
        if (path.equals("/v1/.well-known/openidconfiguration")) {
            return Response.json(
                    200,
                    "{\"issuer\":\"https://api.botframework.com\",\"jwks_uri\":\"%s/v1/.well-known/keys\"}"
                            .formatted(api()));
        }
        if (path.equals("/v1/.well-known/keys")) {
            return Response.json(200, tokens.keysOfBots());
        }
        if (path.equals("/common/discovery/v2.0/keys")) {
            return Response.json(200, tokens.keysOfEntra());
        }
        if (!request.header("Authorization").equals("Bearer " + bearer)) {
            return refused(401, "Unauthorized", "the token is not valid", null);
        }
        byte[] file = files.get(path);
        return file == null
                ? connector(request)
                : new Response(200, Map.of("Content-Type", "application/octet-stream"), file);
    }

    private Response token(String form) {
        boolean isRight = form.contains("client_id=" + APP)
                && form.contains("client_secret=" + secret)
                && form.contains("grant_type=client_credentials")
                && form.contains("scope=https%3A%2F%2Fapi.botframework.com%2F.default");
        if (!isRight) {
            return Response.json(
                    401,
                    "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: Invalid client secret"
                            + " provided.\"}");
        }
        bearer = "bearer-" + ++tokensGiven;
        return Response.json(
                200, "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"access_token\":\"" + bearer + "\"}");
    }

    private @Nullable Response connector(Request request) {
        String path = request.path().substring(request.path().indexOf("/v3/"));
        JsonNode body = body(request.text());
        calls.add(new TeamsCall(request.method(), path, body));
        boolean isIndicator = isTyping(body) && body.path("entities").isEmpty();
        Fault fault = faults.stream()
                .filter(next -> !isIndicator && next.method().equals(request.method()))
                .findFirst()
                .orElse(null);
        faults.remove(fault);
        if (fault != null && !fault.cut()) {
            return refused(fault.status(), fault.code(), fault.message(), fault.retryAfter());
        }
        Response response = carryOut(request.method(), path, body);
        return fault != null ? null : response;
    }

    private static boolean isTyping(JsonNode activity) {
        return activity.path("type").asText().equals("typing");
    }

    private static JsonNode body(String text) {
        try {
            return text.isEmpty() ? JSON.createObjectNode() : JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private Response carryOut(String method, String path, JsonNode body) {
        String[] parts = path.split("/");
        if (parts.length == 3) {
            return open(body);
        }
        String conversation = URLDecoder.decode(parts[3], StandardCharsets.UTF_8);
        String refusal = !patient && isTooFast(conversation) ? "more than Teams takes in " + conversation : "";
        if (!refusal.isEmpty()) {
            violations.add(refusal);
            return refused(429, "TooManyRequests", refusal, "2");
        }
        if (!known.contains(base(conversation))) {
            return refused(404, "ConversationNotFound", "Conversation not found.", null);
        }
        if (closed.contains(base(conversation))) {
            return refused(403, "BotNotInConversationRoster", "The bot is not part of the conversation roster.", null);
        }
        if (body.toString().length() * 2 > MOST_BYTES) {
            return refused(413, "MessageSizeTooBig", "Message size too large.", null);
        }
        return parts.length == 5 ? post(conversation, body) : change(method, conversation, parts[5], body);
    }

    private Response open(JsonNode body) {
        String person = body.path("members").path(0).path("id").asText();
        String id = "a:1" + person.replace("-", "") + "_chat";
        if (!body.path("tenantId").asText().equals(TENANT) || closed.contains(id)) {
            return refused(403, "BotNotInConversationRoster", "The app is not installed.", null);
        }
        known.add(id);
        return Response.json(201, JSON.createObjectNode().put("id", id).toString());
    }

    /** The documented rates of a bot in a conversation. */
    private boolean isTooFast(String conversation) {
        Deque<Long> before = requests.computeIfAbsent(base(conversation), _ -> new ArrayDeque<>());
        long now = System.nanoTime();
        before.removeIf(earlier -> now - earlier > TimeUnit.SECONDS.toNanos(30));
        before.add(now);
        return within(before, now, 1) > 7 || within(before, now, 2) > 8 || before.size() > 60;
    }

    private static long within(Deque<Long> before, long now, int seconds) {
        return before.stream()
                .filter(earlier -> now - earlier < TimeUnit.SECONDS.toNanos(seconds))
                .count();
    }

    private Response post(String conversation, JsonNode activity) {
        JsonNode info = TeamsStreams.info(activity);
        if (!info.isMissingNode()) {
            return streams.take(conversation, activity, info);
        }
        if (isTyping(activity)) {
            return posted(nextId());
        }
        String refusal = refusal(activity);
        if (refusal != null) {
            return refused(400, "BadSyntax", refusal, null);
        }
        String id = nextId();
        messages.put(conversation + " " + id, new TeamsMessage(conversation, id, activity, 0));
        return posted(id);
    }

    private Response change(String method, String conversation, String id, JsonNode activity) {
        String key = conversation + " " + id;
        TeamsMessage before = messages.get(key);
        if (before == null) {
            return refused(404, "ActivityNotFoundInConversation", "No such activity.", null);
        }
        if (streams.isLive(key)) {
            return TeamsStreams.notAllowed("Content stream is in progress");
        }
        if (method.equals("DELETE")) {
            messages.remove(key);
            return Response.json(200, "{}");
        }
        String refusal = refusal(activity);
        if (refusal != null) {
            return refused(400, "BadSyntax", refusal, null);
        }
        messages.put(key, new TeamsMessage(conversation, id, activity, before.changes() + 1));
        return posted(id);
    }

    private static @Nullable String refusal(JsonNode activity) {
        if (activity.path("text").asText().isBlank()
                && activity.path("attachments").isEmpty()) {
            return "Activity must include non empty 'text' field or 'attachments' field.";
        }
        JsonNode card = activity.path("attachments").path(0).path("content");
        boolean isCard = card.path("type").asText().equals("AdaptiveCard");
        return isCard && card.path("actions").size() > MOST_ACTIONS ? "too many actions" : null;
    }

    private static String base(String conversation) {
        return conversation.replaceFirst(";messageid=.*", "");
    }

    static Response posted(String id) {
        return Response.json(201, JSON.createObjectNode().put("id", id).toString());
    }

    static Response refused(int status, String code, String message, @Nullable String retryAfter) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error").put("code", code).put("message", message);
        Map<String, String> headers = retryAfter == null ? Map.of() : Map.of("Retry-After", retryAfter);
        return new Response(status, headers, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
