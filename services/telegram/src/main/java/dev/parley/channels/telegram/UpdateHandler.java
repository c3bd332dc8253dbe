package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.chat.NotThereException;
import dev.parley.channels.contract.ChatState;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.content.Block;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.BotConfig.Groups;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the updates of a bot, whichever instance receives them. */
final class UpdateHandler implements ChatHandler.Platform {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateHandler.class);
    /** Clients split long texts near the limit of a message. */
    private static final int NEARLY_FULL = 4_000;

    private static final int MAX_REMEMBERED = 10_000;
    private static final Duration ACK_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SPLIT_WINDOW = Duration.ofSeconds(2);

    private final BotConfig bot;
    private final BotApi api;
    private final ChatState chatState;
    private final Downloads downloads;
    private final ChatHandler chats;

    private final Map<String, Boolean> albums = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));
    private final Map<String, Instant> longTexts = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private volatile @Nullable Updates updates;

    UpdateHandler(BotConfig bot, BotApi api, Intake intake, ChatServices services) {
        this.bot = bot;
        this.api = api;
        this.chatState = services.chatState();
        this.downloads = new Downloads(this::bytes, services.blobs());
        this.chats = new ChatHandler(bot, services, intake, this);
    }

    private byte[] bytes(Attachment file, int limit) throws NotThereException, InterruptedException {
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

    /** Handles updates of one chat in order. Files of albums are prefetched, so that an album stays together. */
    void handle(List<JsonNode> updates) throws UnavailableException, InterruptedException {
        var files = updates.size() > 1 ? filesOfAlbums(updates) : List.<Attachment>of();
        try {
            downloads.prefetch(files);
            for (JsonNode update : updates) {
                handle(update);
            }
        } finally {
            downloads.forget(files);
        }
    }

    private List<Attachment> filesOfAlbums(List<JsonNode> updates) throws UnavailableException, InterruptedException {
        Updates identity = identity();
        var parts = updates.stream()
                .filter(update -> update.findValue("media_group_id") != null)
                .map(update -> chats.read(() -> identity.event(update)))
                .flatMap(event -> event instanceof ChatMessage message && message.album() != null
                        ? Stream.of(message)
                        : Stream.of())
                .filter(message -> !message.bot() && chats.isAdmitted(message))
                .toList();
        // If one part of an album mentions the bot, all parts are addressed to it.
        parts.stream().filter(this::isAddressed).forEach(this::rememberAlbum);
        return parts.stream()
                .filter(this::isAddressed)
                .flatMap(message -> message.attachments().stream())
                .toList();
    }

    /**
     * Handles an update, which may be confirmed once this returns.
     *
     * @throws UnavailableException when it must be redelivered
     */
    void handle(JsonNode update) throws UnavailableException, InterruptedException {
        Updates identity = identity();
        Event event = chats.read(() -> identity.event(update));
        chats.count(event, kind(event));
        String reference = update.path("update_id").asText();
        chats.handleOrSkip(reference, () -> handle(event, reference));
    }

    /** The problem that prevents receiving now; empty for none. */
    Optional<String> problem() {
        return chats.problem();
    }

    private Updates identity() throws UnavailableException, InterruptedException {
        chats.requireReady();
        try {
            return me();
        } catch (BotApiException | IllegalStateException e) {
            throw new UnavailableException(
                    UnavailableException.Reason.AWAY, "the identity of the bot is unknown: " + e.getMessage(), e);
        }
    }

    private void handle(Event event, String reference) throws UnavailableException, InterruptedException {
        switch (event) {
            case ChatMessage message -> onMessage(message, reference);
            case ButtonPress press -> chats.handle(press, reference);
            case Membership change -> chatState.setWritable(change.address(), change.canWrite());
            case Migrated moved -> chatState.moveChat(moved.bot(), moved.from(), moved.to());
            case Other _ -> {} // counted
        }
    }

    private static String kind(Event event) {
        return switch (event) {
            case ChatMessage message -> message.edited() ? "edited_message" : "message";
            case ButtonPress _ -> "callback_query";
            case Membership _ -> "my_chat_member";
            case Migrated _ -> "migration";
            case Other other -> other.kind();
        };
    }

    private boolean isAddressed(ChatMessage message) {
        return chats.isAddressed(message)
                || (!message.bot() && bot.groups() == Groups.MENTION && isOfAddressedAlbum(message));
    }

    /** Only one part of an album has the text that mentions the bot, mostly the first. */
    private boolean isOfAddressedAlbum(ChatMessage message) {
        return message.album() != null && albums.containsKey(message.address().chat() + " " + message.album());
    }

    private void rememberAlbum(ChatMessage message) {
        if (message.album() != null) {
            albums.put(message.address().chat() + " " + message.album(), true);
        }
    }

    private void onMessage(ChatMessage message, String update) throws UnavailableException, InterruptedException {
        // A message has one id in its chat, in all updates that contain it.
        String reference = message.id().equals("0") ? update : message.address().chat() + ":" + message.id();
        Optional<ChatMessage> admitted = chats.admit(message, reference, isAddressed(message));
        if (admitted.isPresent()) {
            rememberAlbum(message);
            if (!message.edited() || !message.text().startsWith("[location")) { // a live location
                chats.handleAdmitted(admitted.get(), reference, update);
            }
        }
    }

    @Override
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        return downloads.file(attachment);
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
    public boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        var edit = BotApi.params(
                        new ConversationAddress(bot.name(), press.address().chat(), null))
                .put("message_id", Long.parseLong(press.message()))
                .put("text", text);
        try {
            api.call("editMessageText", edit, ACK_TIMEOUT);
            return true;
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("message with buttons could not be updated");
            return e.says("message is not modified");
        }
    }
}
