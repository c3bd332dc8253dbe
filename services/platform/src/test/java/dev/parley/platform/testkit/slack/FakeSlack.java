package dev.parley.platform.testkit.slack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.WebSocketDouble;
import dev.parley.platform.testkit.WebSocketDouble.Client;
import dev.parley.platform.testkit.WebSocketDouble.Request;
import dev.parley.platform.testkit.WebSocketDouble.Response;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Slack workspace with one app. It accepts what Slack accepts and rejects what Slack rejects. Events go to one of the
 * app's WebSockets, and again if they are not acknowledged within a second.
 *
 * @see <a href="https://docs.slack.dev/apis/web-api/">the Web API</a>
 */
public final class FakeSlack implements AutoCloseable {
    /** The id of the app's bot user. */
    public static final String BOT = "U0BOT";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long AGAIN_MILLIS = 1_000;
    private static final int MOST_RETRIES = 3;
    private static final Duration LIFE_OF_TRIGGER = Duration.ofSeconds(3);
    /** Seconds of a burst; Slack allows bursts but does not document their size. */
    private static final int BURST = 5;

    private final List<JsonNode> said = new ArrayList<>();
    private final WebSocketDouble server;
    private final String botToken;
    private final String appToken;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, ObjectNode> pending = new LinkedHashMap<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<String, SlackMessage> messages = new LinkedHashMap<>();
    private final Map<String, Deque<Fault>> faults = new HashMap<>();
    private final Map<String, Deque<Long>> posts = new HashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final Map<String, JsonNode> users = new HashMap<>();
    private final Set<String> archived = new HashSet<>();
    private final List<SlackCall> calls = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final SlackStreams streams = new SlackStreams();
    /** When triggers were given; {@link Instant#MIN} once they are used. */
    private final Map<String, Instant> triggers = new HashMap<>();

    private final List<JsonNode> views = new ArrayList<>();
    private volatile boolean isAgent;
    private String scopes = "app_mentions:read,channels:history,chat:write,commands,files:read,files:write,"
            + "groups:history,im:history,im:read,im:write,mpim:history,users:read";
    private long time = 1_700_000_000_000_001L;
    private int number;

    private record Fault(int status, String error, @Nullable String retryAfter, boolean cut) {}

    public FakeSlack(String botToken, String appToken) throws IOException {
        this.botToken = botToken;
        this.appToken = appToken;
        this.server = new WebSocketDouble(this::answer, this::opened);
    }

    /** The URL of its API. */
    public URI api() {
        return URI.create(server.url() + "/api");
    }

    // ---- users and channels

    /** Adds a user of the workspace. */
    public synchronized String user(String name, String locale) {
        String id = "U" + (1_000 + ++number);
        ObjectNode user =
                JSON.createObjectNode().put("id", id).put("locale", locale).put("is_bot", false);
        user.putObject("profile").put("real_name", name).put("display_name", "");
        users.put(id, user);
        return id;
    }

    /** The bot's private chat with a user. */
    public SlackChat direct(String user) {
        return new SlackChat(this, "D" + user.substring(1), user, "im");
    }

    /** A channel that the bot is in, as a user sees it. */
    public SlackChat channel(String name, String user) {
        return new SlackChat(this, "C" + name, user, "channel");
    }

    synchronized String nextTime() {
        time += 1_000;
        return "%d.%06d".formatted(time / 1_000_000, time % 1_000_000);
    }

    /** A trigger, with which a modal can be opened once, and soon. */
    synchronized String trigger() {
        String trigger = "trigger." + nextTime();
        triggers.put(trigger, Instant.now());
        return trigger;
    }

    synchronized void archive(String channel) {
        archived.add(channel);
    }

    /** Stores a file that a user has uploaded; returns its private URL. */
    public synchronized String file(String name, byte[] bytes) {
        String path = "/files/" + ++number + "/" + name;
        files.put(path, bytes);
        return server.url() + path;
    }

    /** The bot's messages in a channel, in the order of their arrival. */
    synchronized List<SlackMessage> messages(String channel) {
        return messages.values().stream()
                .filter(message -> message.channel().equals(channel))
                .toList();
    }

    /** All API calls, in order. */
    public synchronized List<SlackCall> calls(String method) {
        return calls.stream().filter(call -> call.method().equals(method)).toList();
    }

    /** Violations of Slack's rules by the bot, such as its rate limit. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** The app is declared as an agent: it may stream, and its threads have a status. */
    public void becomesAgent() {
        isAgent = true;
    }

    /** Removes a scope of the bot's token. */
    public synchronized void takeScope(String scope) {
        scopes = scopes.replaceFirst("(^|,)" + scope + "(?=,|$)", "");
    }

    // ---- faults

    /**
     * The next calls of a method fail with this error.
     *
     * @param retryAfter seconds, or null
     */
    public synchronized void failNext(String method, int times, int status, String error, @Nullable String retryAfter) {
        for (int i = 0; i < times; i++) {
            faults.computeIfAbsent(method, _ -> new ArrayDeque<>()).add(new Fault(status, error, retryAfter, false));
        }
    }

    /** The next call of a method is carried out, but its answer is lost. */
    public synchronized void cutAfter(String method) {
        faults.computeIfAbsent(method, _ -> new ArrayDeque<>()).add(new Fault(0, "", null, true));
    }

    /** Requests the bot to reconnect. */
    public synchronized void wantsAnotherConnection() {
        clients.forEach(client -> client.send("{\"type\":\"disconnect\",\"reason\":\"refresh_requested\"}"));
    }

    /** Breaks all connections. */
    public synchronized void cutsConnections() {
        clients.forEach(Client::cut);
    }

    // ---- events

    /** The number of open WebSockets. */
    public synchronized int connections() {
        return (int) clients.stream().filter(Client::isOpen).count();
    }

    /**
     * Sends an envelope.
     *
     * @param type events_api, interactive or slash_commands
     * @return its id
     */
    public synchronized String deliver(String type, JsonNode payload) {
        JsonNode event = payload.path("event");
        if (event.path("type").asText().equals("message") && !event.has("subtype")) {
            said.add(event);
        }
        String id = "envelope-" + ++number;
        ObjectNode envelope =
                JSON.createObjectNode().put("envelope_id", id).put("type", type).put("accepts_response_payload", false);
        envelope.set("payload", payload);
        pending.put(id, envelope);
        attempts.put(id, 0);
        attempt(id);
        return id;
    }

    /** Whether an envelope was acknowledged. */
    public synchronized boolean isAcknowledged(String envelope) {
        return !pending.containsKey(envelope);
    }

    /** How often an envelope was sent. */
    public synchronized int attempts(String envelope) {
        return attempts.getOrDefault(envelope, 0);
    }

    private synchronized void attempt(String id) {
        ObjectNode envelope = pending.get(id);
        int before = attempts.get(id);
        if (envelope == null || before > MOST_RETRIES || clock.isShutdown()) {
            return;
        }
        var open = clients.stream().filter(Client::isOpen).toList();
        if (!open.isEmpty()) {
            envelope.put("retry_attempt", before);
            attempts.put(id, before + 1);
            open.getLast().send(envelope.toString());
        }
        var _ = clock.schedule(() -> attempt(id), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void opened(Client client) {
        synchronized (this) {
            clients.add(client);
        }
        client.listen(this::acknowledged);
        client.send("{\"type\":\"hello\",\"num_connections\":1}");
    }

    private synchronized void acknowledged(String text) {
        try {
            pending.remove(JSON.readTree(text).path("envelope_id").asText());
        } catch (JsonProcessingException e) {
            violations.add("an acknowledgement that is not valid JSON: " + text);
        }
    }

    // ---- the API

    private @Nullable Response answer(Request request) {
        if (request.path().startsWith("/api/")) {
            return called(request);
        }
        return request.method().equals("GET") ? download(request) : upload(request);
    }

    private synchronized Response download(Request request) {
        byte[] bytes = files.get(request.path());
        boolean authorized = request.header("Authorization").equals("Bearer " + botToken);
        return bytes == null || !authorized
                ? new Response(302, Map.of("Location", "https://slack.com/login"), new byte[0])
                : new Response(200, Map.of("Content-Type", "application/octet-stream"), bytes);
    }

    private synchronized Response upload(Request request) {
        files.put(request.path(), request.body());
        return new Response(200, Map.of(), "OK".getBytes(StandardCharsets.UTF_8));
    }

    private synchronized @Nullable Response called(Request request) {
        String method = request.path().substring("/api/".length());
        ObjectNode params = params(request.text());
        calls.add(new SlackCall(method, params));
        Deque<Fault> methodFaults = faults.getOrDefault(method, new ArrayDeque<>());
        Fault fault = methodFaults.poll();
        if (fault != null && !fault.cut()) {
            Map<String, String> headers =
                    fault.retryAfter() == null ? Map.of() : Map.of("Retry-After", fault.retryAfter());
            String body = JSON.createObjectNode()
                    .put("ok", false)
                    .put("error", fault.error())
                    .toString();
            return new Response(fault.status(), headers, body.getBytes(StandardCharsets.UTF_8));
        }
        String token = method.equals("apps.connections.open") ? appToken : botToken;
        boolean authorized = request.header("Authorization").equals("Bearer " + token);
        Response response = authorized ? carryOut(method, params) : refused("invalid_auth");
        return fault != null ? null : response;
    }

    private static ObjectNode params(String form) {
        ObjectNode params = JSON.createObjectNode();
        for (String field : form.split("&", -1)) {
            int border = field.indexOf('=');
            if (border > 0) {
                params.put(
                        URLDecoder.decode(field.substring(0, border), StandardCharsets.UTF_8),
                        URLDecoder.decode(field.substring(border + 1), StandardCharsets.UTF_8));
            }
        }
        return params;
    }

    /** The messages of people in a thread, oldest first. */
    private Response replies(ObjectNode params) {
        ObjectNode answer = ok();
        ArrayNode messages = answer.putArray("messages");
        said.stream()
                .filter(message -> message.path("channel").equals(params.path("channel")))
                .filter(message -> message.path("ts").equals(params.path("ts"))
                        || message.path("thread_ts").equals(params.path("ts")))
                .filter(message -> message.path("ts")
                                .asText()
                                .compareTo(params.path("latest").asText("9"))
                        < 0)
                .limit(params.path("limit").asInt(1_000))
                .forEach(message -> messages.add(((ObjectNode) message.deepCopy()).without("channel")));
        return done(answer);
    }

    private Response carryOut(String method, ObjectNode params) {
        return switch (method) {
            case "auth.test" ->
                new Response(
                        200,
                        Map.of("Content-Type", "application/json", "X-OAuth-Scopes", scopes),
                        ok().put("user", "parley")
                                .put("user_id", BOT)
                                .put("bot_id", "B0BOT")
                                .put("team", "Acme")
                                .put("team_id", "T0")
                                .toString()
                                .getBytes(StandardCharsets.UTF_8));
            case "apps.connections.open" ->
                done(ok().put("url", server.url().toString().replaceFirst("http", "ws") + "/link?ticket=" + ++number));
            case "users.info" -> user(params.path("user").asText());
            case "conversations.open" -> {
                ObjectNode answer = ok();
                answer.putObject("channel")
                        .put("id", "D" + params.path("users").asText().substring(1));
                yield done(answer);
            }
            case "conversations.replies" -> replies(params);
            case "chat.postMessage" -> post(params);
            case "chat.update" -> update(params);
            case "chat.postEphemeral" -> whisper(params);
            case "chat.startStream" -> isAgent ? startStream(params) : refused("unknown_method");
            case "chat.appendStream" -> changeStream(params, false);
            case "chat.stopStream" -> changeStream(params, true);
            case "agents.sessions.setStatus" -> isAgent ? done(ok()) : refused("not_authorized");
            case "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts" -> done(ok());
            case "views.open" -> openView(params);
            case "files.getUploadURLExternal" ->
                done(ok().put("upload_url", server.url() + "/upload/F" + ++number)
                        .put("file_id", "F" + number));
            case "files.completeUploadExternal" -> complete(params);
            default -> refused("unknown_method");
        };
    }

    /** A message for one person of a chat. */
    private Response whisper(ObjectNode params) {
        String channel = params.path("channel").asText();
        String user = params.path("user").asText();
        if (!channel.matches("[DC].+")) {
            return refused("channel_not_found"); // ids of users are not accepted here
        }
        boolean isThere =
                users.containsKey(user) && (channel.startsWith("C") || channel.equals("D" + user.substring(1)));
        return isThere && !params.path("text").asText().isEmpty()
                ? done(ok())
                : refused(isThere ? "no_text" : "user_not_in_channel");
    }

    private Response user(String id) {
        JsonNode user = users.get(id);
        if (user == null) {
            return refused("user_not_found");
        }
        ObjectNode answer = ok();
        answer.set("user", user);
        return done(answer);
    }

    private Response post(ObjectNode params) {
        String recipient = params.path("channel").asText();
        String channel = recipient.startsWith("U") ? "D" + recipient.substring(1) : recipient;
        if (archived.contains(channel)) {
            return refused("is_archived");
        }
        if (isTooFast(channel)) {
            violations.add("more than a message a second in " + channel);
        }
        String refusal = SlackRules.refusal(params);
        if (refusal != null) {
            return refused(refusal);
        }
        String time = nextTime();
        messages.put(
                channel + time,
                new SlackMessage(channel, time, params.path("thread_ts").asText(null), SlackRules.blocks(params), 0));
        return done(ok().put("channel", channel).put("ts", time));
    }

    private boolean isTooFast(String channel) {
        Deque<Long> before = posts.computeIfAbsent(channel, _ -> new ArrayDeque<>());
        long now = System.nanoTime();
        before.removeIf(earlier -> now - earlier > TimeUnit.SECONDS.toNanos(BURST));
        before.add(now);
        return before.size() > 2 * BURST;
    }

    private Response update(ObjectNode params) {
        String channel = params.path("channel").asText();
        String time = params.path("ts").asText();
        SlackMessage before = messages.get(channel + time);
        if (!channel.startsWith("D") && !channel.startsWith("C")) {
            return refused("channel_not_found"); // ids of users are not accepted here
        }
        if (before == null) {
            return refused("message_not_found");
        }
        if (streams.isRunning(channel + time)) {
            return refused("streaming_state_conflict");
        }
        String refusal = SlackRules.refusal(params);
        if (refusal != null) {
            return refused(refusal);
        }
        messages.put(
                channel + time,
                new SlackMessage(channel, time, before.thread(), SlackRules.blocks(params), before.changes() + 1));
        return done(ok().put("channel", channel).put("ts", time));
    }

    private Response startStream(ObjectNode params) {
        String channel = params.path("channel").asText();
        if (archived.contains(channel)) {
            return refused("is_archived");
        }
        String time = nextTime();
        String refusal = channel.startsWith("U") ? "channel_not_found" : streams.start(channel + time, params);
        return refusal != null
                ? refused(refusal)
                : streamed(channel, time, params.path("thread_ts").asText());
    }

    private Response changeStream(ObjectNode params, boolean stops) {
        String channel = params.path("channel").asText();
        String time = params.path("ts").asText();
        String refusal = stops ? streams.stop(channel + time, params) : streams.append(channel + time, params);
        return refusal != null
                ? refused(refusal)
                : streamed(channel, time, messages.get(channel + time).thread());
    }

    private Response streamed(String channel, String time, @Nullable String thread) {
        String key = channel + time;
        messages.put(key, new SlackMessage(channel, time, thread, streams.shown(key), 0));
        return done(ok().put("channel", channel).put("ts", time));
    }

    /** All running streams end with an error: of a stream that is dead, or that its reader has stopped. */
    public synchronized void endStreams(String error) {
        streams.endAll(error);
    }

    /** Whether a message is still being streamed. */
    public synchronized boolean isStreaming(SlackMessage message) {
        return streams.isRunning(message.channel() + message.time());
    }

    private Response openView(ObjectNode params) {
        String trigger = params.path("trigger_id").asText();
        Instant given = triggers.get(trigger);
        if (given == null) {
            return refused("invalid_trigger_id");
        }
        if (given.equals(Instant.MIN)) {
            return refused("exchanged_trigger_id");
        }
        triggers.put(trigger, Instant.MIN);
        if (given.plus(LIFE_OF_TRIGGER).isBefore(Instant.now())) {
            return refused("expired_trigger_id");
        }
        JsonNode view = SlackRules.json(params, "view");
        if (!SlackRules.isView(view)) {
            return refused("invalid_arguments");
        }
        views.add(view);
        return done(ok());
    }

    /** The modals that were opened, in order. */
    public synchronized List<JsonNode> views() {
        return List.copyOf(views);
    }

    private Response complete(ObjectNode params) {
        try {
            JsonNode file = JSON.readTree(params.path("files").asText()).path(0);
            String channel = params.path("channel_id").asText();
            byte[] bytes = files.get("/upload/" + file.path("id").asText());
            if (bytes == null || channel.startsWith("U")) {
                return refused(bytes == null ? "file_not_found" : "invalid_channel");
            }
            String time = nextTime();
            ObjectNode block = JSON.createObjectNode()
                    .put("type", "file")
                    .put("name", file.path("title").asText())
                    .put("content", new String(bytes, StandardCharsets.UTF_8));
            messages.put(
                    channel + time,
                    new SlackMessage(
                            channel,
                            time,
                            params.path("thread_ts").asText(null),
                            JSON.createArrayNode().add(block),
                            0));
            return done(ok());
        } catch (JsonProcessingException e) {
            return refused("invalid_arguments");
        }
    }

    private static ObjectNode ok() {
        return JSON.createObjectNode().put("ok", true);
    }

    private static Response done(ObjectNode answer) {
        return Response.json(200, answer.toString());
    }

    private static Response refused(String error) {
        return Response.json(
                200,
                JSON.createObjectNode().put("ok", false).put("error", error).toString());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        server.close();
    }
}
