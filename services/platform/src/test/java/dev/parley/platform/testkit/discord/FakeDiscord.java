package dev.parley.platform.testkit.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.testkit.discord.NettyServer.Answer;
import dev.parley.platform.testkit.discord.NettyServer.Request;
import dev.parley.platform.testkit.discord.NettyServer.Socket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Discord's HTTP API and gateway for one bot, with its checks, errors and message limits, and the people on the other
 * side. It answers unsupported calls with 405.
 */
public final class FakeDiscord implements AutoCloseable {
    /** The bot's own id. */
    public static final String BOT = "200000000000000001";

    /** The guild that its channels are in. */
    public static final String GUILD = "300000000000000001";

    /** Follows the path of an upload, for faults. */
    public static final String WITH_FILE = " with a file";

    static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_TEXT = 2_000;
    private static final int CALLS = 5;
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Pattern MESSAGES = Pattern.compile("/channels/(\\d+)/messages");
    private static final Pattern MESSAGE = Pattern.compile("/channels/(\\d+)/messages/(\\d+)");

    private final String token;
    private final NettyServer server;
    private final FakeGateway gateway;
    private final Map<String, Chat> chats = new LinkedHashMap<>();
    private final Map<String, byte[]> files = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final Map<String, Deque<Instant>> callTimes = new HashMap<>();
    private final List<String> tooFast = new ArrayList<>();
    private final FakeInteractions interactions = new FakeInteractions();
    private boolean knowsComponents = true;
    private JsonNode menu = JSON.createArrayNode();
    private long last;

    /**
     * A received call.
     *
     * @param path without {@code /api/v10}
     */
    public record Call(String method, String path, JsonNode body) {}

    /**
     * The prepared answer to calls of a kind.
     *
     * @param status 0: the call is carried out but not answered
     */
    private record Fault(String method, Pattern path, int status, String body) {}

    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;
        private final int code;

        Refused(int status, int code, String message) {
            super(message);
            this.status = status;
            this.code = code;
        }
    }

    /** A channel: a private one with the bot, or one of the guild. */
    public final class Chat {
        private final String id;
        private final @Nullable String person;
        private final List<ObjectNode> messages = new ArrayList<>();
        private final Map<String, ObjectNode> nonces = new HashMap<>();
        private boolean closed;

        private Chat(String id, @Nullable String person) {
            this.id = id;
            this.person = person;
        }

        public String id() {
            return id;
        }

        /** Sends a message of the person whose chat it is; returns the message. */
        public JsonNode says(String text) {
            return says(String.valueOf(person), text, JSON.createObjectNode());
        }

        /**
         * Sends a message of a person.
         *
         * @param fields further fields of the message
         */
        public JsonNode says(String author, String text, ObjectNode fields) {
            synchronized (FakeDiscord.this) {
                ObjectNode message = message(this, author, text);
                message.setAll(fields);
                messages.add(message);
                gateway.dispatch("MESSAGE_CREATE", event(message));
                return message;
            }
        }

        /** Delivers the same event once more. */
        public void again(JsonNode message) {
            gateway.dispatch("MESSAGE_CREATE", event(message));
        }

        /** The author edits a message. */
        public void edits(JsonNode message, String text) {
            synchronized (FakeDiscord.this) {
                ((ObjectNode) message)
                        .put("content", text)
                        .put("edited_timestamp", Instant.now().toString());
                gateway.dispatch("MESSAGE_UPDATE", event(message));
            }
        }

        /** Discord adds the preview of a link to a message. */
        public void previews(JsonNode message) {
            synchronized (FakeDiscord.this) {
                ((ObjectNode) message).putArray("embeds").addObject().put("type", "link");
                gateway.dispatch("MESSAGE_UPDATE", event(message));
            }
        }

        /**
         * A person presses a button.
         *
         * @param label the label of the button
         */
        public void presses(String label) {
            synchronized (FakeDiscord.this) {
                for (ObjectNode message : List.copyOf(messages)) {
                    for (JsonNode button : message.path("components").findValues("components")) {
                        for (JsonNode component : button) {
                            if (component.path("label").asText().equals(label)) {
                                ObjectNode press = interaction(3);
                                press.putObject("data")
                                        .put(
                                                "custom_id",
                                                component.path("custom_id").asText());
                                press.putObject("message")
                                        .put("id", message.path("id").asText());
                                arrives(press);
                                return;
                            }
                        }
                    }
                }
                throw new IllegalStateException("no button " + label);
            }
        }

        /** A person adds a reaction to a message, or removes it. */
        public void reacts(String message, String emoji, boolean isRemoved) {
            synchronized (FakeDiscord.this) {
                ObjectNode reaction = JSON.createObjectNode()
                        .put("user_id", person == null ? "7" : person)
                        .put("channel_id", id)
                        .put("message_id", message);
                reaction.putObject("emoji").putNull("id").put("name", emoji);
                if (person == null) {
                    reaction.put("guild_id", GUILD);
                }
                gateway.dispatch(isRemoved ? "MESSAGE_REACTION_REMOVE" : "MESSAGE_REACTION_ADD", reaction);
            }
        }

        /** A person sends a command of the menu. */
        public void commands(String name) {
            synchronized (FakeDiscord.this) {
                ObjectNode command = interaction(2);
                command.putObject("data").put("name", name);
                arrives(command);
            }
        }

        /**
         * A person sends the last form that was shown.
         *
         * @param values by the ids of inputs
         */
        public void submits(Map<String, String> values) {
            synchronized (FakeDiscord.this) {
                ObjectNode form = interaction(5);
                ObjectNode data = form.putObject("data")
                        .put("custom_id", modals().getLast().path("custom_id").asText());
                ArrayNode parts = data.putArray("components");
                values.forEach((id, value) -> parts.addObject()
                        .put("type", 18)
                        .putObject("component")
                        .put("type", 4)
                        .put("custom_id", id)
                        .put("value", value));
                arrives(form);
            }
        }

        private void arrives(ObjectNode interaction) {
            interactions.begin(interaction);
            gateway.dispatch("INTERACTION_CREATE", interaction);
        }

        private ObjectNode interaction(int type) {
            ObjectNode interaction = JSON.createObjectNode()
                    .put("id", nextId())
                    .put("application_id", BOT)
                    .put("type", type)
                    .put("token", "interaction-" + last)
                    .put("channel_id", id)
                    .put("locale", "en-US");
            if (person == null) {
                interaction.put("guild_id", GUILD).putObject("member").set("user", user("7"));
            } else {
                interaction.set("user", user(person));
            }
            return interaction;
        }

        private JsonNode event(JsonNode message) {
            ObjectNode event = ((ObjectNode) message).deepCopy();
            return person == null ? event.put("guild_id", GUILD) : event;
        }

        /** Denies the bot the right to write there from now on. */
        public void closes() {
            synchronized (FakeDiscord.this) {
                closed = true;
            }
        }

        /** The bot's messages in order, in their current form. */
        public List<JsonNode> answers() {
            synchronized (FakeDiscord.this) {
                return messages.stream()
                        .filter(message ->
                                message.path("author").path("id").asText().equals(BOT))
                        .<JsonNode>map(ObjectNode::deepCopy)
                        .toList();
            }
        }

        /** The texts of the answers as people read them: without backslashes that escape markup. */
        public List<String> texts() {
            return answers().stream()
                    .map(message -> FakeComponents.text(message).replaceAll("\\\\([^0-9A-Za-z\\s])", "$1"))
                    .toList();
        }

        /** Deletes a message of the bot. */
        public void deletes(String message) {
            synchronized (FakeDiscord.this) {
                messages.removeIf(existing -> existing.path("id").asText().equals(message));
                JsonNode deleted =
                        event(JSON.createObjectNode().put("id", message).put("channel_id", id));
                gateway.dispatch("MESSAGE_DELETE", deleted);
            }
        }
    }

    /**
     * Starts it on a free port of 127.0.0.1.
     *
     * @param token the bot's token
     */
    public FakeDiscord(String token) {
        this.token = token;
        this.server = new NettyServer(new NettyServer.Service() {
            @Override
            public Answer answer(Request request) {
                return FakeDiscord.this.answer(request);
            }

            @Override
            public void opened(Socket socket) {
                gateway().opened(socket);
            }

            @Override
            public void says(Socket socket, String text) {
                gateway().says(socket, text);
            }
        });
        this.gateway = new FakeGateway(token, BOT, "ws://127.0.0.1:" + server.port());
    }

    /** The base URL, in place of {@code https://discord.com}. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    public FakeGateway gateway() {
        return gateway;
    }

    /** The bot's chat with a person. */
    public synchronized Chat privately(String person) {
        return chats.values().stream()
                .filter(chat -> person.equals(chat.person))
                .findFirst()
                .orElseGet(() -> add(new Chat(nextId(), person)));
    }

    /** Makes a channel of the guild. */
    public synchronized Chat channel() {
        return add(new Chat(nextId(), null));
    }

    private Chat add(Chat chat) {
        chats.put(chat.id, chat);
        return chat;
    }

    /** Stores a file; returns its download URL. */
    public synchronized String keep(String name, byte[] bytes) {
        files.put("/attachments/" + name, bytes);
        return url() + "/attachments/" + name;
    }

    /**
     * The next calls of a kind get this answer and are not carried out.
     *
     * @param path a pattern of the whole path
     */
    public synchronized void failNext(int times, String method, String path, int status, String body) {
        for (int i = 0; i < times; i++) {
            faults.add(new Fault(method, Pattern.compile(path), status, body));
        }
    }

    /** The next call of a kind is carried out, but its answer is lost. */
    public synchronized void cutNext(String method, String path) {
        faults.add(new Fault(method, Pattern.compile(path), 0, ""));
    }

    /** The received calls of a kind. */
    public synchronized List<Call> calls(String method, String path) {
        Pattern pattern = Pattern.compile(path);
        return calls.stream()
                .filter(call -> call.method().equals(method)
                        && pattern.matcher(call.path()).matches())
                .toList();
    }

    /** What was shown to people of interactions alone. */
    public synchronized List<String> notices() {
        return interactions.notices();
    }

    /** The forms that were shown. */
    public synchronized List<JsonNode> modals() {
        return interactions.modals();
    }

    /** The number of interactions without a response. */
    public synchronized long unanswered() {
        return interactions.unanswered();
    }

    /** Refuses messages of components from now on. */
    public synchronized void refusesComponents() {
        knowsComponents = false;
    }

    /** Calls above the rate limit. */
    public synchronized List<String> tooFast() {
        return List.copyOf(tooFast);
    }

    @Override
    public void close() {
        server.close();
    }

    // ---- HTTP

    private synchronized Answer answer(Request request) {
        String fullPath = request.path();
        if (files.containsKey(fullPath)) {
            return new Answer(200, Map.of("Content-Type", "application/octet-stream"), files.get(fullPath));
        }
        String path = fullPath.replaceFirst("^/api/v10", "");
        try {
            boolean interaction = path.startsWith("/interactions/") || path.startsWith("/webhooks/");
            if (!interaction && !("Bot " + token).equals(request.headers().get("Authorization"))) {
                throw new Refused(401, 0, "401: Unauthorized");
            }
            JsonNode body = body(request);
            calls.add(new Call(request.method(), path, body));
            Fault fault = fault(request.method(), isForm(request) ? path + WITH_FILE : path);
            if (fault != null && fault.status() != 0) {
                return json(fault.status(), fault.body(), Map.of());
            }
            Map<String, String> limits = limited(request.method(), path);
            JsonNode answer = carryOut(request.method(), path, body, request);
            if (fault != null) {
                return new Answer(0, Map.of(), new byte[0]);
            }
            return answer.isMissingNode() ? new Answer(204, limits, new byte[0]) : json(200, answer.toString(), limits);
        } catch (Refused e) {
            ObjectNode error =
                    JSON.createObjectNode().put("message", e.getMessage()).put("code", e.code);
            if (e.status == 429) {
                error.put("retry_after", 1.0).put("global", false);
            }
            return json(e.status, error.toString(), Map.of());
        }
    }

    private @Nullable Fault fault(String method, String path) {
        for (Fault fault : faults) {
            if (fault.method().equals(method) && fault.path().matcher(path).matches()) {
                faults.remove(fault);
                return fault;
            }
        }
        return null;
    }

    private static Answer json(int status, String body, Map<String, String> headers) {
        var allHeaders = new HashMap<>(headers);
        allHeaders.put("Content-Type", "application/json");
        return new Answer(status, allHeaders, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Discord's limits for messages: five in five seconds, for new messages and for edits separately. */
    private Map<String, String> limited(String method, String path) {
        boolean counts = method.equals("POST") && MESSAGES.matcher(path).matches()
                || method.equals("PATCH") && MESSAGE.matcher(path).matches();
        if (!counts) {
            return Map.of();
        }
        String bucket = method + path.replaceFirst("/messages.*", "");
        Instant now = Instant.now();
        Deque<Instant> before = callTimes.computeIfAbsent(bucket, _ -> new ArrayDeque<>());
        before.removeIf(time -> time.plus(PERIOD).isBefore(now));
        if (before.size() >= CALLS) {
            tooFast.add(method + " " + path);
            throw new Refused(429, 0, "You are being rate limited.");
        }
        before.add(now);
        return Map.of(
                "X-RateLimit-Bucket",
                method.toLowerCase(Locale.ROOT) + "-messages",
                "X-RateLimit-Limit",
                "" + CALLS,
                "X-RateLimit-Remaining",
                "" + (CALLS - before.size()),
                "X-RateLimit-Reset-After",
                "" + Duration.between(now, before.getFirst().plus(PERIOD)).toMillis() / 1e3);
    }

    private static boolean isForm(Request request) {
        return request.headers().getOrDefault("Content-Type", "").startsWith("multipart/");
    }

    private static JsonNode body(Request request) {
        try {
            String type = request.headers().getOrDefault("Content-Type", "");
            if (type.startsWith("application/json")) {
                return JSON.readTree(request.body());
            }
            Matcher part = Pattern.compile("name=\"payload_json\".*?\r\n\r\n(.*?)\r\n--", Pattern.DOTALL)
                    .matcher(request.text());
            return part.find() ? JSON.readTree(part.group(1)) : JSON.missingNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode carryOut(String method, String path, JsonNode body, Request request) {
        String endpoint = method + " " + path.replaceFirst("\\?.*", "");
        Matcher messages = MESSAGES.matcher(endpoint.substring(method.length() + 1));
        Matcher message = MESSAGE.matcher(endpoint.substring(method.length() + 1));
        if (messages.matches()) {
            return method.equals("GET")
                    ? history(chat(messages.group(1)), path)
                    : create(messages.group(1), body, request);
        }
        if (message.matches() && method.equals("PATCH")) {
            return change(chat(message.group(1)), message.group(2), body);
        }
        JsonNode response = interactions.answer(endpoint, body);
        if (response != null) {
            return response;
        }
        return switch (endpoint) {
            case "GET /gateway/bot" -> address();
            case "GET /users/@me" ->
                JSON.createObjectNode().put("id", BOT).put("username", "parley").put("bot", true);
            case "GET /applications/@me" ->
                JSON.createObjectNode().put("id", BOT).put("flags", 0).putNull("interactions_endpoint_url");
            case "GET /applications/" + BOT + "/commands" -> menu;
            case "POST /users/@me/channels" ->
                JSON.createObjectNode()
                        .put("id", privately(body.path("recipient_id").asText()).id);
            case "GET /users/@me/guilds" ->
                JSON.createArrayNode().add(JSON.createObjectNode().put("id", GUILD));
            case "GET /guilds/" + GUILD + "/channels" -> channels();
            case "GET /guilds/" + GUILD + "/threads/active" ->
                JSON.createObjectNode().set("threads", JSON.createArrayNode());
            case "PUT /applications/" + BOT + "/commands" -> {
                menu = body;
                yield body;
            }
            default -> {
                if (endpoint.matches("POST /channels/\\d+/typing")) {
                    yield JSON.missingNode();
                }
                throw new Refused(405, 0, "405: Method Not Allowed");
            }
        };
    }

    private ObjectNode address() {
        ObjectNode address = JSON.createObjectNode()
                .put("url", "ws://127.0.0.1:" + server.port())
                .put("shards", 1);
        address.putObject("session_start_limit")
                .put("total", 1_000)
                .put("remaining", 900)
                .put("reset_after", 14_400_000)
                .put("max_concurrency", 1);
        return address;
    }

    private ArrayNode channels() {
        ArrayNode channels = JSON.createArrayNode();
        chats.values().stream()
                .filter(chat -> chat.person == null)
                .forEach(chat -> channels.addObject()
                        .put("id", chat.id)
                        .put("type", 0)
                        .put(
                                "last_message_id",
                                chat.messages.isEmpty()
                                        ? null
                                        : chat.messages.getLast().path("id").asText()));
        return channels;
    }

    private Chat chat(String id) {
        Chat chat = chats.get(id);
        if (chat == null) {
            throw new Refused(404, 10003, "Unknown Channel");
        }
        return chat;
    }

    private JsonNode history(Chat chat, String path) {
        long from = number(path, "after", 0);
        long to = number(path, "before", Long.MAX_VALUE);
        long limit = number(path, "limit", 50);
        List<ObjectNode> found = chat.messages.stream()
                .filter(message -> message.path("id").asLong() > from)
                .filter(message -> message.path("id").asLong() < to)
                .toList();
        int first = path.contains("before=") ? (int) Math.max(0, found.size() - limit) : 0;
        ArrayNode page = JSON.createArrayNode();
        found.subList(first, (int) Math.min(found.size(), first + limit))
                .reversed()
                .forEach(message -> page.add(message.deepCopy()));
        return page;
    }

    private static long number(String path, String parameter, long fallback) {
        Matcher value = Pattern.compile(parameter + "=(\\d+)").matcher(path);
        return value.find() ? Long.parseLong(value.group(1)) : fallback;
    }

    private JsonNode create(String channel, JsonNode body, Request request) {
        Chat chat = chat(channel);
        if (chat.closed) {
            throw chat.person == null
                    ? new Refused(403, 50001, "Missing Access")
                    : new Refused(403, 50007, "Cannot send messages to this user");
        }
        boolean file = isForm(request);
        check(body, file);
        String nonce = body.path("nonce").asText("");
        if (nonce.length() > 25) {
            throw new Refused(400, 50035, "Invalid Form Body");
        }
        boolean unique = body.path("enforce_nonce").asBoolean() && !nonce.isEmpty();
        if (unique && chat.nonces.containsKey(nonce)) {
            return chat.nonces.get(nonce);
        }
        ObjectNode message = message(chat, BOT, body.path("content").asText(""));
        message.put("flags", body.path("flags").asInt());
        message.set("components", body.path("components"));
        message.set("allowed_mentions", body.path("allowed_mentions"));
        message.set("message_reference", body.path("message_reference"));
        if (file) {
            message.set("attachments", body.path("attachments"));
        }
        chat.messages.add(message);
        chat.nonces.put(nonce, message);
        gateway.dispatch("MESSAGE_CREATE", chat.event(message));
        return message;
    }

    private void check(JsonNode body, boolean file) {
        FakeComponents.check(body);
        if (FakeComponents.isFlagged(body)) {
            if (!knowsComponents) {
                throw new Refused(400, 50035, "Invalid Form Body");
            }
            return;
        }
        String content = body.path("content").asText("");
        if (content.length() > MOST_TEXT) {
            throw new Refused(400, 50035, "Invalid Form Body");
        }
        if (content.isBlank() && !file) {
            throw new Refused(400, 50006, "Cannot send an empty message");
        }
    }

    private JsonNode change(Chat chat, String id, JsonNode body) {
        check(body, false);
        for (ObjectNode message : chat.messages) {
            if (message.path("id").asText().equals(id)) {
                FakeComponents.checkEdit(message, body);
                message.put("content", body.path("content").asText(""));
                message.put(
                        "flags",
                        message.path("flags").asInt() | body.path("flags").asInt());
                message.set("components", body.path("components"));
                return message;
            }
        }
        throw new Refused(404, 10008, "Unknown Message");
    }

    private ObjectNode message(Chat chat, String author, String text) {
        ObjectNode message = JSON.createObjectNode()
                .put("id", nextId())
                .put("type", 0)
                .put("channel_id", chat.id)
                .put("content", text)
                .put("timestamp", Instant.now().toString())
                .putNull("edited_timestamp");
        message.set("author", user(author).put("bot", author.equals(BOT)));
        message.putArray("attachments");
        message.putArray("mentions");
        return message;
    }

    private static ObjectNode user(String id) {
        return JSON.createObjectNode().put("id", id).put("username", "ann" + id).put("global_name", "Ann");
    }

    /** Ids grow with time, as the real ones do. */
    private synchronized String nextId() {
        last = Math.max(last + 1, (System.currentTimeMillis() - 1_420_070_400_000L) << 22);
        return Long.toString(last);
    }
}
