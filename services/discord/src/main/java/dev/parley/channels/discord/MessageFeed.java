package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.ChatQueues;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the events of a bot: in order per chat, in parallel across chats, each until it is durable. In each gateway
 * session, the messages that a chat missed are fetched before its new events are handled, so that nothing is lost or
 * overtaken.
 */
final class MessageFeed implements Gateway.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MessageFeed.class);
    /** Configured users without a known chat whose private chats are checked. */
    private static final int MAX_UNKNOWN = 50;

    private static final int MAX_REMEMBERED = 10_000;

    private static final Duration SAVE_INTERVAL = Duration.ofSeconds(1);
    private static final Duration[] BACKOFF = {
        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5)
    };

    private final ChannelBot bot;
    private final BotChats chats;
    private final Positions positions;
    private final MissedMessages missed;
    private final ChannelIds channels;
    private final Interactions interactions;
    private final Consumer<JsonNode> onBegin;
    private final ChatQueues queues = new ChatQueues();
    private final Thread saver;
    /** The gateway session in which the missed messages of a chat were fetched. */
    private final Map<String, Integer> complete = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private final AtomicInteger session = new AtomicInteger();
    private volatile boolean loaded;
    private volatile @Nullable DiscordEvents events;
    private volatile boolean closed;

    /** @param onBegin receives Discord's description of the bot when a session begins */
    MessageFeed(
            ChannelBot bot,
            BotChats chats,
            Positions positions,
            MissedMessages missed,
            ChannelIds channels,
            Interactions interactions,
            Consumer<JsonNode> onBegin) {
        this.bot = bot;
        this.chats = chats;
        this.positions = positions;
        this.missed = missed;
        this.channels = channels;
        this.interactions = interactions;
        this.onBegin = onBegin;
        this.saver = Thread.ofVirtual().name("discord-positions-" + bot.name()).start(this::save);
    }

    @Override
    public void onSession(JsonNode ready) {
        events = new DiscordEvents(bot.name(), ready.path("user").path("id").asText());
        onBegin.accept(ready);
        fetchMissed();
    }

    private void fetchMissed() {
        session.incrementAndGet();
        positions.unsettle();
        queues.submit("", this::fetchAll);
    }

    /** Fetches the missed messages of chats that may get no new events. */
    private void fetchAll() throws InterruptedException {
        load();
        Set<String> missing = chatsToFetch();
        int startSession = session.get();
        var remaining = new AtomicInteger(missing.size() + 1);
        Runnable chatFetched = () -> {
            if (remaining.decrementAndGet() == 0 && startSession == session.get()) {
                positions.settle();
            }
        };
        missing.forEach(chat -> queues.submit(chat, () -> {
            fetch(chat);
            chatFetched.run();
        }));
        chatFetched.run();
    }

    private Set<String> chatsToFetch() throws InterruptedException {
        Set<String> missing = new LinkedHashSet<>(positions.chats());
        bot.allowedUsers().stream()
                .filter(user -> user.matches("\\d{1,20}"))
                .map(ChannelIds::privately)
                .filter(chat -> !positions.isRemembered(chat))
                .limit(MAX_UNKNOWN)
                .forEach(missing::add);
        if (bot.groups() != Groups.OFF) {
            Instant now = Instant.now();
            missed.channels().forEach((chat, last) -> {
                if (last > positions.missedAfter(chat, now)) {
                    missing.add(chat);
                }
            });
        }
        return missing;
    }

    private void load() throws InterruptedException {
        if (!loaded) {
            retryUntilDurable("positions", () -> {
                positions.load(Instant.now());
                return new Taken.Safe();
            });
            loaded = true;
        }
    }

    /** Handles the messages that a chat missed before this session. */
    private void fetch(String chat) throws InterruptedException {
        load();
        int now = session.get();
        if (complete.getOrDefault(chat, 0) == now) {
            return;
        }
        for (JsonNode message : missed.messages(chat, positions.missedAfter(chat, Instant.now()))) {
            handle(chat, message);
        }
        complete.put(chat, now);
    }

    @Override
    public void onEvent(String type, JsonNode data, Runnable safe) {
        DiscordEvents reader = events;
        if (reader == null) {
            safe.run();
            return;
        }
        switch (type) {
            case "MESSAGE_CREATE" -> message(reader, data, false, safe);
            case "MESSAGE_UPDATE" -> message(reader, data, true, safe);
            case "INTERACTION_CREATE" -> {
                String chat = channels.chat(data, DiscordEvents.user(data));
                interactions.onArrival(data);
                queues.submit(chat, () -> {
                    interaction(reader.interaction(data, chat), data);
                    safe.run();
                });
            }
            case "MESSAGE_DELETE" -> deleted(data, safe);
            case "MESSAGE_REACTION_ADD" -> reaction(reader, data, false, safe);
            case "MESSAGE_REACTION_REMOVE" -> reaction(reader, data, true, safe);
            default -> safe.run();
        }
    }

    /** A message of a guild that the bot may have heard was deleted. */
    private void deleted(JsonNode data, Runnable safe) {
        if (!bot.listens() || !data.hasNonNull("guild_id") || !DiscordEvents.isId(data.path("id"))) {
            safe.run();
            return;
        }
        String id = data.path("id").asText();
        String chat = channels.chat(data, data);
        var deleted = new Event.Deleted(new ConversationAddress(bot.name(), chat, null), id);
        queues.submit(chat, () -> {
            retryUntilDurable("deletion of " + id, () -> chats.handle(deleted, "deleted:" + id, ""));
            safe.run();
        });
    }

    /** Discord gives a reaction no id: one that a resumed session repeats says again what is so. */
    private void reaction(DiscordEvents reader, JsonNode data, boolean isRemoved, Runnable safe) {
        String user = data.path("user_id").asText();
        if (!DiscordEvents.isId(data.path("user_id")) || user.equals(reader.id()) || isElsewhere(data)) {
            safe.run();
            return;
        }
        String chat = channels.chat(data, DiscordApi.json().put("id", user));
        String reference = "reaction:" + UUID.randomUUID();
        queues.submit(chat, () -> {
            Event event = chats.read(() -> reader.reaction(data, chat, isRemoved));
            retryUntilDurable(reference, () -> chats.handle(event, reference, ""));
            safe.run();
        });
    }

    private void message(DiscordEvents reader, JsonNode data, boolean edit, Runnable safe) {
        JsonNode author = data.path("author");
        boolean ours = author.path("id").asText().equals(reader.id());
        if (ours || !DiscordEvents.isId(author.path("id")) || isElsewhere(data)) {
            safe.run();
            return;
        }
        String chat = channels.chat(data, author);
        queues.submit(chat, () -> {
            fetch(chat);
            if (edit) {
                onEdited(reader, chat, data);
            } else {
                handle(chat, data);
            }
            safe.run();
        });
    }

    /** Whether an event is from a guild in which the bot is off. */
    private boolean isElsewhere(JsonNode data) {
        return bot.groups() == Groups.OFF && data.hasNonNull("guild_id");
    }

    /** Handles a message, once. */
    private void handle(String chat, JsonNode message) throws InterruptedException {
        DiscordEvents reader = events;
        long id = message.path("id").asLong();
        if (reader == null || positions.has(id)) {
            return;
        }
        Event event = chats.read(() -> reader.message(message, chat, false));
        if (event instanceof ChatMessage chatMessage) {
            retryUntilDurable(chatMessage.id(), () -> {
                if (chats.isAddressed(chatMessage)) {
                    positions.rememberChat(chat, id);
                }
                return chats.handle(chatMessage, reference(chatMessage), "");
            });
        } else {
            chats.handle(event, Long.toString(id), "");
        }
        positions.markHandled(chat, id);
    }

    private void onEdited(DiscordEvents reader, String chat, JsonNode message) throws InterruptedException {
        boolean edit = message.path("edited_timestamp").isTextual(); // otherwise a link preview was added
        Event event = edit ? chats.read(() -> reader.message(message, chat, true)) : new Event.Other("preview");
        if (event instanceof ChatMessage chatMessage) {
            String revision =
                    chatMessage.id() + " " + message.path("edited_timestamp").asText();
            retryUntilDurable(chatMessage.id(), () -> chats.handle(chatMessage, reference(chatMessage), revision));
        }
    }

    private void interaction(Event event, JsonNode data) throws InterruptedException {
        String reference = "interaction:" + Interactions.id(data);
        try {
            switch (event) {
                case ButtonPress _, ChatMessage _, Event.FormAnswer _ ->
                    retryUntilDurable(reference, () -> chats.handle(event, reference, ""));
                default -> chats.handle(event, reference, "");
            }
        } finally {
            interactions.onHandled(data);
        }
    }

    private static String reference(ChatMessage chatMessage) {
        return chatMessage.address().chat() + ":" + chatMessage.id();
    }

    private interface Attempt {
        Taken make() throws InterruptedException;
    }

    /** Retries until the event is durable, or is skipped because it can never be handled. */
    private void retryUntilDurable(String messageId, Attempt attempt) throws InterruptedException {
        for (int number = 0; ; number++) {
            if (bot.problem().isEmpty() && isDurable(messageId, attempt)) {
                return;
            }
            Thread.sleep(BACKOFF[Math.min(number, BACKOFF.length - 1)]);
        }
    }

    private boolean isDurable(String messageId, Attempt attempt) throws InterruptedException {
        try {
            if (attempt.make() instanceof Taken.NotSafe notSafe) {
                logRetry(messageId, notSafe.why());
                return false;
            }
            return true;
        } catch (IllegalStateException e) { // of the positions
            logRetry(messageId, e.getMessage());
            return false;
        }
    }

    private void logRetry(String messageId, @Nullable String reason) {
        LOG.atWarn()
                .addKeyValue("bot", bot.name())
                .addKeyValue("message", messageId)
                .addKeyValue("reason", reason)
                .log("message is not safe yet; retrying");
    }

    @Override
    public boolean isIdle() {
        return queues.waiting() == 0;
    }

    @Override
    public void forget() {
        queues.clear();
        fetchMissed();
    }

    private void save() {
        try {
            while (!closed) {
                Thread.sleep(SAVE_INTERVAL);
                saveNow();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void saveNow() {
        try {
            positions.save();
        } catch (IllegalStateException e) {
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("positions could not be written; retrying");
        }
    }

    @Override
    public void close() {
        closed = true;
        saver.interrupt();
        queues.close();
        saveNow();
    }
}
