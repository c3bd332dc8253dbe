package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.BotChats;
import dev.parley.channels.chat.BotChats.Received;
import dev.parley.channels.chat.ChatSide;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.clock.SteadyClock;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the updates of a bot, whichever instance receives them. */
final class UpdateHandler implements ChatSide {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateHandler.class);
    /** Clients split long texts near the limit of a message. */
    private static final int NEARLY_FULL = 4_000;

    private static final int MAX_REMEMBERED = 10_000;
    private static final Duration ACK_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SPLIT_WINDOW = Duration.ofSeconds(2);

    private final ChannelBot bot;
    private final BotApi api;
    private final BotChats chats;

    /** Albums of which a part is addressed to the bot. */
    private final Map<String, Boolean> albums = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private final PressedMessages pressed;
    private final EphemeralMessages ephemeral;

    private final Map<String, Instant> longTexts = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private volatile @Nullable Updates updates;

    UpdateHandler(ChannelBot bot, BotApi api) {
        this.bot = bot;
        this.api = api;
        this.pressed = new PressedMessages(api);
        this.ephemeral = new EphemeralMessages(api, SteadyClock.OF_PROCESS);
        this.chats = bot.chats(this);
    }

    /** The chats of the bot. */
    BotChats chats() {
        return chats;
    }

    @Override
    public byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), limit);
        } catch (BotApiException e) {
            boolean retryable = e.code() == BotApiException.NO_ANSWER || e.code() >= 429;
            throw new NotThereException(String.valueOf(e.getMessage()), retryable, e);
        }
    }

    /** The identity of the bot. */
    Updates me() throws BotApiException, InterruptedException {
        Updates current = updates;
        if (current == null) {
            JsonNode me = api.call("getMe", BotApi.params());
            current = new Updates(
                    bot.name(), me.path("id").asLong(), me.path("username").asText());
            updates = current;
        }
        return current;
    }

    /** Handles updates of one chat in order; they may be confirmed unless the result is {@link Taken.NotSafe}. */
    Taken handle(List<JsonNode> updates) throws InterruptedException {
        Optional<String> problem = bot.problem();
        if (problem.isPresent()) {
            return new Taken.NotSafe(problem.get());
        }
        Updates identity;
        try {
            identity = me();
        } catch (BotApiException | IllegalStateException e) {
            return new Taken.NotSafe("the identity of the bot is unknown: " + e.getMessage());
        }
        List<Received> events =
                updates.stream().flatMap(update -> received(identity, update)).toList();
        events.forEach(received -> rememberAlbum(received.event()));
        return chats.handle(events.stream().map(this::ofAlbum).toList());
    }

    private Stream<Received> received(Updates identity, JsonNode update) {
        String id = update.path("update_id").asText();
        if (update.has(Updates.REACTION)) {
            List<Event> events = identity.events(update);
            return IntStream.range(0, events.size()).mapToObj(i -> new Received(events.get(i), id + "." + i, id));
        }
        Event event = chats.read(() -> identity.event(update));
        if (event instanceof ButtonPress press) {
            pressed.remember(press, update);
        }
        return Stream.of(received(event, id));
    }

    private Received received(Event event, String id) {
        return switch (event) {
            case ChatMessage message
            when isMovedLocation(message) -> new Received(new Event.Other(kind(event)), id, id);
            case ChatMessage message -> new Received(message, reference(message, id), id);
            default -> new Received(event, id, id);
        };
    }

    /** A live location is edited as long as it lives. */
    private static boolean isMovedLocation(ChatMessage message) {
        return message.edited() && message.text().startsWith("[location");
    }

    /** A message has one id in its chat, in all updates that contain it. */
    private static String reference(ChatMessage message, String update) {
        return message.id().equals("0") ? update : message.address().chat() + ":" + message.id();
    }

    @Override
    public String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "edited_message" : "message";
            case ButtonPress _ -> "callback_query";
            case Event.Feedback _ -> "message_reaction";
            case Event.Stop _ -> "stopped_message_generation";
            case Event.Membership _ -> "my_chat_member";
            default -> ChatSide.super.kind(event);
        };
    }

    /** If one part of an album mentions the bot, mostly the first, all parts are addressed to it. */
    private void rememberAlbum(Event event) {
        if (event instanceof ChatMessage message && message.album() != null && chats.isAddressed(message)) {
            albums.put(album(message), true);
        }
    }

    private Received ofAlbum(Received received) {
        return received.event() instanceof ChatMessage message
                        && message.album() != null
                        && albums.containsKey(album(message))
                ? new Received(message.asAddressed(), received.reference(), received.revision())
                : received;
    }

    private static String album(ChatMessage message) {
        return message.address().chat() + " " + message.album();
    }

    @Override
    public boolean isPartial(ChatMessage message) {
        boolean longText = isOfLongText(message);
        return message.album() != null || longText;
    }

    /** Clients split a long text into full messages and a shorter last one, sent within 2 s. */
    private boolean isOfLongText(ChatMessage message) {
        boolean full = message.text().length() >= NEARLY_FULL;
        String senderKey = message.address().chat() + " " + message.author().id();
        Instant sentAt = message.sentAt();
        if (sentAt == null || message.edited()) {
            return full;
        }
        Instant before = full ? longTexts.put(senderKey, sentAt) : longTexts.remove(senderKey);
        return full || (before != null && !sentAt.isAfter(before.plus(SPLIT_WINDOW)));
    }

    /** A button shows a spinner until its press is acknowledged. */
    @Override
    public void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        ObjectNode answer = BotApi.params().put("callback_query_id", press.query());
        if (!notice.isEmpty()) {
            answer.put("text", notice);
        }
        try {
            api.call("answerCallbackQuery", answer, ACK_TIMEOUT);
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("button press could not be acknowledged in time");
        }
    }

    @Override
    public boolean answerAlone(Event event, Supplier<String> text) throws InterruptedException {
        return event instanceof ChatMessage message && ephemeral.tell(message, text);
    }

    @Override
    public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        return pressed.replace(press, text);
    }
}
