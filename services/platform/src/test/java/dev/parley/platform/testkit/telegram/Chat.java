package dev.parley.platform.testkit.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A chat: what people do in it, and what they see there. */
public final class Chat implements Speech {
    /** Kinds of chats. */
    public enum Type {
        PRIVATE,
        GROUP,
        SUPERGROUP
    }

    private final FakeTelegram fake;
    private final Monitor monitor;
    private final long id;
    private final Type type;
    private final String title;
    private final User person;
    private final boolean forum;
    private final List<Bot> bots = new ArrayList<>();
    private final Set<Bot> shutOut = new HashSet<>();
    private final Map<Integer, Message> messages = new TreeMap<>();
    private final Set<Integer> topics = new HashSet<>();
    private final Set<Integer> closedTopics = new HashSet<>();
    private final List<Event> history = new ArrayList<>();
    private final Map<Long, Draft> drafts = new TreeMap<>();
    private @Nullable Chat migratedTo;
    private int lastId;
    private final Set<Bot> administrators = new HashSet<>();
    /** Who sent an ephemeral command, by its id, and when. */
    private final Map<Long, Asked> asked = new TreeMap<>();

    private final List<Whisper> whispers = new ArrayList<>();

    private record Asked(long user, Instant at) {}

    /** A message that one person sees. */
    public record Whisper(long user, String text) {}

    Chat(FakeTelegram fake, Bot bot, long id, Type type, String title, User person, boolean forum) {
        this.fake = fake;
        this.monitor = fake.monitor();
        this.id = id;
        this.type = type;
        this.title = title;
        this.person = person;
        this.forum = forum;
        join(bot);
    }

    private void join(Bot bot) {
        bots.add(bot);
        bot.chats.put(id, this);
    }

    @Override
    public Chat chat() {
        return this;
    }

    @Override
    public User user() {
        return person;
    }

    @Override
    public int thread() {
        return 0;
    }

    /** The id as used in calls. */
    public long id() {
        return id;
    }

    boolean isPrivate() {
        return type == Type.PRIVATE;
    }

    Type type() {
        return type;
    }

    boolean isShutOut(Bot bot) {
        return shutOut.contains(bot);
    }

    @Nullable
    Chat migratedTo() {
        return migratedTo;
    }

    Instant now() {
        return fake.now();
    }

    long number() {
        return fake.nextNumber();
    }

    StoredFile keep(String folder, String name, String contentType, byte[] bytes) {
        return fake.keep(folder, name, contentType, bytes);
    }

    // People

    /** Opens a topic of a forum, or of a private chat; returns its thread. */
    public int topic(String name) {
        ObjectNode content = Json.object();
        content.putObject("forum_topic_created").put("name", name).put("icon_color", 7_322_096);
        return monitor.get(() -> {
            lastId = Math.max(lastId, 1); // thread 1 is the general topic
            int thread = lastId + 1;
            topics.add(thread);
            post(in(thread), content);
            return thread;
        });
    }

    /** Closes a topic to further messages. */
    public void closeTopic(int thread) {
        monitor.run(() -> closedTopics.add(thread));
    }

    /** Removes a topic. */
    public void deleteTopic(int thread) {
        monitor.run(() -> topics.remove(thread));
    }

    /** The person blocks the bot. */
    public Update blocks() {
        return leaves(bots.getFirst(), "kicked");
    }

    /** The person unblocks the bot. */
    public Update unblocks() {
        return adds(bots.getFirst());
    }

    /** Removes a bot. */
    public Update kicks(Bot bot) {
        return leaves(bot, "kicked");
    }

    /** Adds a bot, or adds it again. */
    public Update adds(Bot bot) {
        return monitor.get(() -> {
            boolean wasMember = bots.contains(bot);
            if (!wasMember) {
                join(bot);
            }
            shutOut.remove(bot);
            return membership(bot, wasMember ? "kicked" : "left", "member");
        });
    }

    private Update leaves(Bot bot, String status) {
        return monitor.get(() -> {
            shutOut.add(bot);
            return membership(bot, "member", status);
        });
    }

    private Update membership(Bot bot, String before, String after) {
        ObjectNode body = Json.object().put("date", now().getEpochSecond());
        body.set("chat", json());
        body.set("from", person.json());
        body.putObject("old_chat_member").put("status", before).set("user", bot.json());
        body.putObject("new_chat_member").put("status", after).set("user", bot.json());
        event(Event.Kind.MEMBERSHIP, 0, after);
        return bot.hears("my_chat_member", body);
    }

    /** Turns the group into a supergroup with another id; the old id accepts no messages any more. */
    public Chat migrates() {
        return monitor.get(() -> {
            var to = new Chat(fake, bots.getFirst(), fake.nextSuperId(), Type.SUPERGROUP, title, person, false);
            bots.stream().skip(1).forEach(to::join);
            post(this, Json.object().put("migrate_to_chat_id", to.id));
            migratedTo = to;
            to.post(to, Json.object().put("migrate_from_chat_id", id));
            return to;
        });
    }

    private record Draft(int thread, String text, boolean canStop) {}

    /** Whether a draft without or with words is shown. */
    public boolean showsDraft() {
        return monitor.get(() -> !drafts.isEmpty());
    }

    /** The frames of drafts so far, in order; empty texts where the bot thinks. */
    public List<Event> frames() {
        return history().stream().filter(e -> e.kind() == Event.Kind.DRAFT).toList();
    }

    /** The person presses the button that stops the newest draft. */
    public Update stopsDraft() {
        return monitor.get(() -> {
            Map.Entry<Long, Draft> newest = drafts.entrySet().stream()
                    .filter(draft -> draft.getValue().canStop())
                    .reduce((a, b) -> b)
                    .orElseThrow(() -> new IllegalStateException("no draft that can be stopped in chat " + id));
            drafts.remove(newest.getKey());
            return stops(newest.getKey(), newest.getValue().thread());
        });
    }

    /** The update of a stop of a draft, which may be one of before. */
    public Update stops(long draft, int thread) {
        ObjectNode body = Json.object().put("draft_id", draft);
        body.set("chat", json());
        if (thread > 0) {
            body.put("message_thread_id", thread);
        }
        return monitor.get(() -> bots.getFirst().hears("stopped_message_generation", body));
    }

    void draft(Bot bot, int thread, long draft, String text, boolean canStop) {
        drafts.put(draft, new Draft(thread, text, canStop));
        event(Event.Kind.DRAFT, 0, text);
    }

    /** A person deletes a message. Bots get no update. */
    public void deletes(int messageId) {
        monitor.run(() -> remove(messageId));
    }

    Update post(Speech speech, ObjectNode content) {
        return monitor.get(() -> {
            ObjectNode json = head(speech.user().json(), speech.thread());
            json.setAll(content);
            JsonNode topic = speech.thread() == 0 ? null : quotedOrNull(speech.thread());
            if (topic != null && !json.has("reply_to_message")) {
                json.set("reply_to_message", topic); // as Telegram does in topics, although it is not a reply
            }
            var message = Message.of(json, null, null, null);
            messages.put(message.id(), message);
            lastId = Math.max(lastId, message.id());
            event(Event.Kind.SAID, message.id(), message.text());
            return dispatch("message", json);
        });
    }

    private ObjectNode head(ObjectNode from, int thread) {
        ObjectNode json = Json.object().put("message_id", lastId + 1).put("date", now().getEpochSecond());
        json.set("from", from);
        json.set("chat", json());
        if (thread > 0) {
            json.put("message_thread_id", thread).put("is_topic_message", true);
        }
        return json;
    }

    private Update dispatch(String kind, ObjectNode body) {
        Update first = null;
        for (Bot bot : bots) {
            if (!shutOut.contains(bot)) {
                Update update = bot.hears(kind, body);
                first = first == null ? update : first;
            }
        }
        if (first == null) {
            throw new IllegalStateException("no bot hears what is said in chat " + id);
        }
        return first;
    }

    /** Makes a bot an administrator, who may tell something to any member alone. */
    public void promotes(Bot bot) {
        monitor.run(() -> administrators.add(bot));
    }

    /** Sends a command that nobody else sees. */
    public Update asksAlone(Bot bot, Speech speech, String command) {
        return monitor.get(() -> {
            long number = fake.nextNumber();
            asked.put(number, new Asked(speech.user().id(), now()));
            ObjectNode json = head(speech.user().json(), speech.thread());
            json.put("message_id", 0).put("ephemeral_message_id", number).put("text", command);
            json.putArray("entities")
                    .addObject()
                    .put("type", "bot_command")
                    .put("offset", 0)
                    .put("length", command.length());
            return bot.hears("message", json);
        });
    }

    /** What was told to people alone, in order. */
    public List<Whisper> whispers() {
        return monitor.get(() -> List.copyOf(whispers));
    }

    /** @throws ApiError where the bot may not tell something to the person alone */
    void checkAlone(Bot bot, long user, long answers, Instant now) {
        Asked command = asked.get(answers);
        boolean isAnswer = command != null
                && command.user() == user
                && now.isBefore(command.at().plusSeconds(15));
        if (isPrivate() || !isAnswer && !administrators.contains(bot)) {
            throw ApiError.bad("BOT_NOT_ADMIN");
        }
    }

    ObjectNode sendAlone(Bot bot, ObjectNode content, long user) {
        whispers.add(new Whisper(user, content.path("text").asText()));
        ObjectNode json = head(bot.json(), 0).put("message_id", 0).put("ephemeral_message_id", fake.nextNumber());
        json.setAll(content);
        return json;
    }

    Update rewrite(Speech speech, int messageId, ObjectNode content) {
        return monitor.get(() -> {
            Message old = required(messageId);
            if (old.fromBot()) {
                throw new IllegalArgumentException("a bot wrote " + old);
            }
            ObjectNode json = old.json().deepCopy();
            json.remove("entities");
            json.setAll(content);
            json.put("edit_date", now().getEpochSecond());
            messages.put(messageId, old.edited(json, null));
            event(Event.Kind.SAID_EDITED, messageId, json.path("text").asText());
            return dispatch("edited_message", json);
        });
    }

    Update press(Speech speech, Message message, String button) {
        return monitor.get(() -> {
            Message now = required(message.id());
            Bot bot = now.bot();
            String data = null;
            for (JsonNode row : now.json().at("/reply_markup/inline_keyboard")) {
                for (JsonNode candidate : row) {
                    if (button.equals(candidate.path("text").asText())
                            || button.equals(candidate.path("callback_data").asText())) {
                        data = candidate.path("callback_data").asText();
                    }
                }
            }
            if (bot == null || data == null) {
                throw new IllegalArgumentException("no button " + button + " at " + now);
            }
            String query = Long.toString(fake.nextNumber() + 4_000_000_000_000_000L);
            bot.presses.put(query, new Bot.Press(this, now()));
            ObjectNode body = Json.object()
                    .put("id", query)
                    .put("chat_instance", Long.toString(id * 31 + 7))
                    .put("data", data);
            body.set("from", speech.user().json());
            body.set("message", now.json());
            event(Event.Kind.PRESSED, now.id(), data);
            return bot.hears("callback_query", body);
        });
    }

    Update react(Speech speech, Message message, List<String> before, List<String> now) {
        return monitor.get(() -> {
            Message reacted = required(message.id());
            ObjectNode body = Json.object().put("message_id", reacted.id()).put("date", now().getEpochSecond());
            body.set("chat", reacted.json().path("chat"));
            body.set("user", speech.user().json());
            body.set("old_reaction", Shapes.reactions(before));
            body.set("new_reaction", Shapes.reactions(now));
            event(Event.Kind.REACTED, reacted.id(), String.join("", now));
            return dispatch("message_reaction", body);
        });
    }

    // Bots

    /** The JSON of a message as quoted in a reply to it. */
    ObjectNode quoted(int messageId) {
        ObjectNode json = monitor.get(() -> quotedOrNull(messageId));
        if (json == null) {
            throw new IllegalArgumentException("no message " + messageId);
        }
        return json;
    }

    @Nullable
    ObjectNode quotedOrNull(int messageId) {
        Message message = messages.get(messageId);
        if (message == null) {
            return null;
        }
        ObjectNode json = message.json().deepCopy();
        json.remove("reply_to_message");
        return json;
    }

    /**
     * The thread of a call.
     *
     * @throws ApiError if it accepts no messages
     */
    int checkThread(int thread) {
        if (thread == 0 || !forum && topics.isEmpty()) {
            return 0;
        }
        if (thread == 1 || !topics.contains(thread)) {
            throw ApiError.bad("message thread not found");
        }
        if (closedTopics.contains(thread)) {
            throw ApiError.bad("TOPIC_CLOSED");
        }
        return thread;
    }

    ObjectNode send(Bot bot, int thread, ObjectNode content, @Nullable String source, @Nullable StoredFile file) {
        ObjectNode json = head(bot.json(), thread);
        json.setAll(content);
        drafts.values().removeIf(draft -> draft.thread() == thread);
        var message = Message.of(json, bot, source, file);
        messages.put(message.id(), message);
        lastId = message.id();
        event(Event.Kind.SENT, lastId, message.text());
        return json;
    }

    void replace(Message message) {
        messages.put(message.id(), message);
        event(Event.Kind.EDITED, message.id(), message.text());
    }

    void react(Message message, @Nullable String emoji) {
        messages.put(message.id(), message.reacted(emoji));
        event(Event.Kind.REACTED, message.id(), emoji == null ? "" : emoji);
    }

    @Nullable
    Message find(long messageId) {
        return messages.get((int) messageId);
    }

    void remove(int messageId) {
        if (messages.remove(messageId) != null) {
            event(Event.Kind.DELETED, messageId, "");
        }
    }

    void event(Event.Kind kind, int messageId, String detail) {
        history.add(new Event(kind, now(), messageId, detail));
    }

    private Message required(int messageId) {
        Message message = messages.get(messageId);
        if (message == null) {
            throw new IllegalArgumentException("no message " + messageId + " in " + messages.values());
        }
        return message;
    }

    ObjectNode json() {
        ObjectNode json = Json.object().put("id", id).put("type", type.name().toLowerCase(java.util.Locale.ROOT));
        if (isPrivate()) {
            json.put("first_name", person.name());
        } else {
            json.put("title", title);
        }
        if (forum) {
            json.put("is_forum", true);
        }
        return json;
    }

    // Visible to people

    /** The visible messages, in order. */
    public List<Message> messages() {
        return monitor.get(() -> List.copyOf(messages.values()));
    }

    /** The visible messages of bots, in order. */
    public List<Message> answers() {
        return messages().stream().filter(Message::fromBot).toList();
    }

    /**
     * A message in its current form.
     *
     * @throws IllegalArgumentException if it is not visible
     */
    public Message message(int messageId) {
        return monitor.get(() -> required(messageId));
    }

    /** All events, in order. */
    public List<Event> history() {
        return monitor.get(() -> List.copyOf(history));
    }

    /** The chat actions, such as typing. */
    public List<Event> actions() {
        return history().stream().filter(e -> e.kind() == Event.Kind.ACTION).toList();
    }

    /**
     * Waits for a message of a bot that matches.
     *
     * @throws AssertionError if none matches in time
     */
    public Message awaitAnswer(Predicate<Message> condition, Duration limit) {
        var found = new AtomicReference<Message>();
        await(
                messages -> {
                    messages.stream()
                            .filter(Message::fromBot)
                            .filter(condition)
                            .findFirst()
                            .ifPresent(found::set);
                    return found.get() != null;
                },
                limit);
        return found.get();
    }

    /**
     * Waits for a message of a bot with exactly this text.
     *
     * @throws AssertionError if there is none in time
     */
    public Message awaitAnswer(String text, Duration limit) {
        return awaitAnswer(message -> message.text().equals(text), limit);
    }

    /**
     * Waits until the visible messages match.
     *
     * @throws AssertionError if they do not match in time
     */
    public void await(Predicate<List<Message>> condition, Duration limit) {
        fake.await(() -> condition.test(messages()), limit, () -> "visible: " + messages());
    }

    @Override
    public String toString() {
        return type + " " + id;
    }
}
