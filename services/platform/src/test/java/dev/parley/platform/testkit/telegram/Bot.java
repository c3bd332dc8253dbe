package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A bot, with the chats that it is in. */
public final class Bot {
    private final FakeTelegram fake;
    private final String token;
    private final String username;
    private final long id;
    final Map<Long, Chat> chats = new HashMap<>();
    final Map<String, Press> presses = new HashMap<>();
    final Map<String, JsonNode> commands = new HashMap<>();
    final Map<Long, JsonNode> menuButtons = new HashMap<>();
    final UpdateQueue queue;
    final Webhook webhook;

    /** A press of a button. */
    static final class Press {
        final Chat chat;
        final Instant at;
        boolean answered;

        Press(Chat chat, Instant at) {
            this.chat = chat;
            this.at = at;
        }
    }

    Bot(FakeTelegram fake, String token, String username) {
        this.fake = fake;
        this.token = token;
        this.username = username;
        id = Long.parseLong(token.substring(0, token.indexOf(':')));
        queue = new UpdateQueue(this, fake.monitor());
        webhook = new Webhook(fake, queue);
    }

    /** Its id, which is also its user id. */
    public long id() {
        return id;
    }

    /** The token of its calls. */
    public String token() {
        return token;
    }

    /** Its name without {@code @}. */
    public String username() {
        return username;
    }

    /** The private chat with a person, who has started the bot. */
    public Chat chat(User person) {
        return fake.monitor().get(() -> {
            Chat chat = chats.get(person.id());
            return chat != null ? chat : new Chat(fake, this, person.id(), Chat.Type.PRIVATE, "", person, false);
        });
    }

    /** A basic group with this bot and a person. */
    public Chat group(String title, User person) {
        return fake.monitor()
                .get(() -> new Chat(fake, this, -fake.nextNumber(), Chat.Type.GROUP, title, person, false));
    }

    /** A supergroup with this bot and a person. */
    public Chat supergroup(String title, User person) {
        return fake.monitor().get(() -> new Chat(fake, this, superId(), Chat.Type.SUPERGROUP, title, person, false));
    }

    /** A supergroup with topics. */
    public Chat forum(String title, User person) {
        return fake.monitor().get(() -> new Chat(fake, this, superId(), Chat.Type.SUPERGROUP, title, person, true));
    }

    private long superId() {
        return fake.nextSuperId();
    }

    /** All its updates, in order. */
    public List<Update> updates() {
        return fake.monitor().get(queue::all);
    }

    /** The unconfirmed updates. */
    public List<Update> pending() {
        return fake.monitor()
                .get(() -> queue.pending().stream().map(e -> e.update).toList());
    }

    /** Delivers an update again with the same id, even if it was confirmed. */
    public void redeliver(Update update) {
        fake.monitor().run(() -> {
            queue.redeliver(update);
            webhook.pump();
        });
    }

    /** Delivers this update as it is; without an {@code update_id} it gets one. */
    public Update inject(JsonNode update) {
        return fake.monitor().get(() -> {
            Update injected = queue.inject((ObjectNode) update);
            webhook.pump();
            return injected;
        });
    }

    /** Continues the ids of updates from here, as after a week without updates. */
    public void nextUpdateId(int next) {
        fake.monitor().run(() -> queue.nextId(next));
    }

    Update hears(String kind, JsonNode body) {
        Update update = queue.add(kind, body);
        webhook.pump();
        return update;
    }

    /** Attempts to push updates so far. */
    public List<Delivery> deliveries() {
        return fake.monitor().get(webhook::deliveries);
    }

    /** The URL of the webhook, empty without one. */
    public String webhookUrl() {
        return fake.monitor().get(() -> webhook.info().path("url").asText());
    }

    /** Its calls so far. */
    public List<Call> calls() {
        return fake.calls().stream().filter(call -> call.bot() == this).toList();
    }

    /** Its calls of one method so far. */
    public List<Call> calls(String method) {
        return calls().stream()
                .filter(call -> call.method().equalsIgnoreCase(method))
                .toList();
    }

    /**
     * Waits for a call.
     *
     * @throws AssertionError if no such call comes in time
     */
    public Call awaitCall(String method, Predicate<Call> condition, Duration limit) {
        var found = new AtomicReference<Call>();
        fake.await(
                () -> {
                    calls(method).stream().filter(condition).findFirst().ifPresent(found::set);
                    return found.get() != null;
                },
                limit,
                () -> "calls of " + method + ": " + calls(method));
        return found.get();
    }

    /**
     * Waits until the bot polls for updates.
     *
     * @throws AssertionError if it does not in time
     */
    public void awaitPoll(Duration limit) {
        fake.await(queue::polled, limit, () -> this + " does not wait for updates");
    }

    /**
     * Its commands of a scope; null if none were set.
     *
     * @param scope such as {@code default}
     */
    public @Nullable JsonNode commands(String scope, String language) {
        return fake.monitor().get(() -> commands.get("{\"type\":\"" + scope + "\"}" + language));
    }

    ObjectNode json() {
        return Json.object()
                .put("id", id)
                .put("is_bot", true)
                .put("first_name", username)
                .put("username", username);
    }

    @Override
    public String toString() {
        return "@" + username;
    }
}
