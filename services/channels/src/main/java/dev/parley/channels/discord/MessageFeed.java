package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatQueues;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Pressed;
import dev.parley.channels.chat.Event.Said;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.BotConfig.Groups;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what happens: in each chat in its order, different chats at once, each event until it is safe. Before anything of a chat is taken in with a
 * new session of the gateway, what was said there before is asked for, so that nothing is missed and nothing overtakes.
 */
final class MessageFeed implements Gateway.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MessageFeed.class);
    /** Private chats of people in the settings that are asked for although nobody wrote there yet. */
    private static final int MOST_UNKNOWN = 50;

    private static final int REMEMBERED = 10_000;

    private static final Duration SAVE = Duration.ofSeconds(1);
    private static final Duration[] BACKOFF = {
        Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5)
    };

    private final BotConfig bot;
    private final ChatHandler handler;
    private final Positions positions;
    private final MissedMessages missed;
    private final ChannelIds places;
    private final Interactions interactions;
    private final MeterRegistry registry;
    private final Consumer<JsonNode> onBegin;
    private final ChatQueues queues = new ChatQueues();
    private final Thread saver;
    /** The session of the gateway in which a chat's past was asked for. */
    private final Map<String, Integer> complete = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));

    private final AtomicInteger session = new AtomicInteger();
    private volatile boolean loaded;
    private volatile @Nullable DiscordEvents events;
    private volatile boolean closed;

    /** @param onBegin is told what Discord says of the bot when a session begins */
    MessageFeed(
            BotConfig bot,
            ChatHandler handler,
            Positions positions,
            MissedMessages missed,
            ChannelIds places,
            Interactions interactions,
            MeterRegistry registry,
            Consumer<JsonNode> onBegin) {
        this.bot = bot;
        this.handler = handler;
        this.positions = positions;
        this.missed = missed;
        this.places = places;
        this.interactions = interactions;
        this.registry = registry;
        this.onBegin = onBegin;
        this.saver = Thread.ofVirtual().name("discord-positions-" + bot.name()).start(this::save);
    }

    // ---- what was missed

    @Override
    public void began(JsonNode ready) {
        events = new DiscordEvents(bot.name(), ready.path("user").path("id").asText());
        onBegin.accept(ready);
        missAll();
    }

    private void missAll() {
        session.incrementAndGet();
        positions.unsettle();
        queues.submit("", this::lookAround);
    }

    /** Asks for what was said in chats from which nothing may come now. */
    private void lookAround() throws InterruptedException {
        load();
        Set<String> chats = new LinkedHashSet<>(positions.chats());
        bot.allowedUsers().stream()
                .filter(user -> user.matches("\\d{1,20}"))
                .map(ChannelIds::privately)
                .filter(chat -> !positions.isRemembered(chat))
                .limit(MOST_UNKNOWN)
                .forEach(chats::add);
        if (bot.groups() != Groups.OFF) {
            Instant now = Instant.now();
            missed.channels().forEach((chat, last) -> {
                if (last > positions.missedAfter(chat, now)) {
                    chats.add(chat);
                }
            });
        }
        int of = session.get();
        var left = new AtomicInteger(chats.size() + 1);
        Runnable one = () -> {
            if (left.decrementAndGet() == 0 && of == session.get()) {
                positions.settle();
            }
        };
        chats.forEach(chat -> queues.submit(chat, () -> {
            fetch(chat);
            one.run();
        }));
        one.run();
    }

    private void load() throws InterruptedException {
        if (!loaded) {
            untilSafe("positions", () -> positions.load(Instant.now()));
            loaded = true;
        }
    }

    /** Takes in what was said in a chat before this session. */
    private void fetch(String chat) throws InterruptedException {
        load();
        int now = session.get();
        if (complete.getOrDefault(chat, 0) == now) {
            return;
        }
        for (JsonNode message : missed.messages(chat, positions.missedAfter(chat, Instant.now()))) {
            take(chat, message);
        }
        complete.put(chat, now);
    }

    // ---- what comes

    @Override
    public void happened(String type, JsonNode data, Runnable safe) {
        DiscordEvents reader = events;
        if (reader == null) {
            safe.run();
            return;
        }
        switch (type) {
            case "MESSAGE_CREATE", "MESSAGE_UPDATE" -> {
                JsonNode author = data.path("author");
                boolean edit = type.equals("MESSAGE_UPDATE");
                boolean ours = author.path("id").asText().equals(reader.id());
                if (ours || !DiscordEvents.isId(author.path("id")) || isElsewhere(data)) {
                    safe.run();
                    return;
                }
                String chat = places.chat(data, author);
                queues.submit(chat, () -> {
                    fetch(chat);
                    if (edit) {
                        edited(reader, chat, data);
                    } else {
                        take(chat, data);
                    }
                    safe.run();
                });
            }
            case "INTERACTION_CREATE" -> {
                String chat = places.chat(data, DiscordEvents.user(data));
                queues.submit(chat, () -> {
                    interaction(reader.interaction(data, chat), data);
                    safe.run();
                });
            }
            default -> safe.run();
        }
    }

    /** Whether it happened in a guild, and the bot speaks in none. */
    private boolean isElsewhere(JsonNode data) {
        return bot.groups() == Groups.OFF && data.hasNonNull("guild_id");
    }

    /** Takes a message in, once. */
    private void take(String chat, JsonNode message) throws InterruptedException {
        DiscordEvents reader = events;
        long id = message.path("id").asLong();
        if (reader == null || positions.has(id)) {
            return;
        }
        Event event = read(() -> reader.message(message, chat, false));
        counted(event, "message");
        if (event instanceof Said said) {
            untilSafe(said.message(), () -> {
                if (handler.isForUs(said)) {
                    positions.meant(chat, id);
                }
                handler.take(said, reference(said), "");
            });
        }
        positions.taken(chat, id);
    }

    private void edited(DiscordEvents reader, String chat, JsonNode message) throws InterruptedException {
        boolean edit = message.path("edited_timestamp").isTextual(); // else it was given a preview
        Event event = edit ? read(() -> reader.message(message, chat, true)) : new Event.Other("preview");
        if (event instanceof Said said) {
            counted(event, "edited_message");
            String revision =
                    said.message() + " " + message.path("edited_timestamp").asText();
            untilSafe(said.message(), () -> handler.take(said, reference(said), revision));
        }
    }

    private void interaction(Event event, JsonNode data) throws InterruptedException {
        counted(event, "interaction");
        String reference = "interaction " + data.path("id").asText();
        switch (event) {
            case Pressed pressed -> untilSafe(reference, () -> handler.take(pressed, reference));
            case Said said -> {
                interactions.accepted(data);
                untilSafe(reference, () -> handler.take(said, reference, ""));
                interactions.done(data);
            }
            default -> {}
        }
    }

    private static String reference(Said said) {
        return said.address().chat() + ":" + said.message();
    }

    private interface Reading {
        Event event();
    }

    private Event read(Reading reading) {
        try {
            return reading.event();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("bot", bot.name()).setCause(e).log("unreadable message skipped");
            return new Event.Other("unreadable");
        }
    }

    private void counted(Event event, String kind) {
        String what = event instanceof Event.Other other ? other.kind() : kind;
        registry.counter("parley_channel_updates", "bot", bot.name(), "kind", what)
                .increment();
        if (event instanceof Said said && said.at() != null && kind.equals("message")) {
            Duration lag = Duration.between(said.at(), Instant.now());
            registry.timer("parley_channel_lag", "bot", bot.name()).record(lag.isNegative() ? Duration.ZERO : lag);
        }
    }

    private interface Work {
        void run() throws UnavailableException, InterruptedException;
    }

    /** Does something until it is safe. What can never be is passed over, and holds nobody up. */
    private void untilSafe(String what, Work work) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                if (handler.problem().isEmpty()) {
                    work.run();
                    return;
                }
            } catch (IllegalStateException e) { // the database's: it may go better later
                late(what, e);
            } catch (UnavailableException e) {
                if (e.why() == UnavailableException.Why.TOO_LARGE) {
                    passOver(what, e);
                    return;
                }
                late(what, e);
            } catch (RuntimeException e) {
                passOver(what, e);
                return;
            }
            Thread.sleep(BACKOFF[Math.min(attempt, BACKOFF.length - 1)]);
        }
    }

    private void late(String what, Exception why) {
        LOG.atWarn()
                .addKeyValue("bot", bot.name())
                .addKeyValue("message", what)
                .addKeyValue("why", why.getMessage())
                .log("message is not safe yet; retrying");
    }

    private void passOver(String what, Exception why) {
        registry.counter("parley_channel_failed", "bot", bot.name()).increment();
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("message", what)
                .setCause(why)
                .log("message skipped");
    }

    // ---- bounds, and what is written down

    @Override
    public boolean isIdle() {
        return queues.waiting() == 0;
    }

    @Override
    public void forget() {
        queues.clear();
        missAll();
    }

    private void save() {
        try {
            while (!closed) {
                Thread.sleep(SAVE);
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
                    .addKeyValue("why", e.getMessage())
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
