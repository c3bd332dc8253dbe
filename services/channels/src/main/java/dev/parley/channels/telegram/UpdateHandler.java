package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Buttons;
import dev.parley.channels.chat.ChatHandler;
import dev.parley.channels.chat.ChatServices;
import dev.parley.channels.chat.Downloads;
import dev.parley.channels.chat.Downloads.NotThereException;
import dev.parley.channels.chat.Event;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.Membership;
import dev.parley.channels.chat.Event.Migrated;
import dev.parley.channels.chat.Event.Other;
import dev.parley.channels.chat.Event.Pressed;
import dev.parley.channels.chat.Event.Said;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Memory;
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
    private final Memory memory;
    private final Downloads downloads;
    private final ChatHandler chats;

    private final Map<String, Boolean> albums = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));
    private final Map<String, Instant> longTexts = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private volatile @Nullable Updates updates;

    UpdateHandler(BotConfig bot, BotApi api, Intake intake, ChatServices services, Buttons buttons) {
        this.bot = bot;
        this.api = api;
        this.memory = services.memory();
        this.downloads = new Downloads(this::bytes, services.blobs());
        this.chats = new ChatHandler(bot, services, intake, buttons, this);
    }

    private byte[] bytes(Attachment file, int most) throws NotThereException, InterruptedException {
        try {
            return api.download(file.fileId(), most);
        } catch (BotApiException e) {
            boolean later = e.code() == BotApiException.NO_ANSWER || e.code() >= 429;
            throw new NotThereException(String.valueOf(e.getMessage()), later);
        }
    }

    /** The identity of the bot. */
    Updates me() throws BotApiException, InterruptedException {
        Updates known = updates;
        if (known == null) {
            JsonNode me = api.call("getMe", BotApi.params());
            known = new Updates(
                    bot.name(), me.path("id").asLong(), me.path("username").asText());
            updates = known;
        }
        return known;
    }

    /** Handles updates of one chat in order. Files of albums are prefetched, so that an album stays together. */
    void take(List<JsonNode> updates) throws UnavailableException, InterruptedException {
        var files = updates.size() > 1 ? filesOfAlbums(updates) : List.<Attachment>of();
        try {
            downloads.prefetch(files);
            for (JsonNode update : updates) {
                take(update);
            }
        } finally {
            downloads.forget(files);
        }
    }

    private List<Attachment> filesOfAlbums(List<JsonNode> updates) throws UnavailableException, InterruptedException {
        Updates me = whoAmI();
        var parts = updates.stream()
                .filter(update -> update.findValue("media_group_id") != null)
                .map(update -> chats.read(() -> me.event(update)))
                .flatMap(event -> event instanceof Said said && said.album() != null ? Stream.of(said) : Stream.of())
                .filter(said -> !said.bot() && chats.isOpen(said))
                .toList();
        // Whichever part the words stand below that mention the bot, all of them count.
        parts.stream().filter(this::isForUs).forEach(this::meansUs);
        return parts.stream()
                .filter(this::isForUs)
                .flatMap(said -> said.attachments().stream())
                .toList();
    }

    /**
     * Handles an update, which may be confirmed once this returns.
     *
     * @throws UnavailableException when it has to be delivered again
     */
    void take(JsonNode update) throws UnavailableException, InterruptedException {
        Updates me = whoAmI();
        Event event = chats.read(() -> me.event(update));
        chats.count(event, kind(event));
        String reference = update.path("update_id").asText();
        chats.takeOrSkip(reference, () -> take(event, reference));
    }

    /** Why nothing can be received now. */
    Optional<String> problem() {
        return chats.problem();
    }

    private Updates whoAmI() throws UnavailableException, InterruptedException {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            throw new UnavailableException(problem.get());
        }
        try {
            return me();
        } catch (BotApiException | IllegalStateException e) {
            throw new UnavailableException("the identity of the bot is unknown: " + e.getMessage());
        }
    }

    private void take(Event event, String reference) throws UnavailableException, InterruptedException {
        switch (event) {
            case Said said -> said(said, reference);
            case Pressed pressed -> chats.take(pressed, reference);
            case Membership change -> memory.writable(change.address(), change.canWrite());
            case Migrated moved -> memory.moved(moved.bot(), moved.from(), moved.to());
            case Other _ -> {} // counted
        }
    }

    private static String kind(Event event) {
        return switch (event) {
            case Said said -> said.edited() ? "edited_message" : "message";
            case Pressed _ -> "callback_query";
            case Membership _ -> "my_chat_member";
            case Migrated _ -> "migration";
            case Other other -> other.kind();
        };
    }

    // ---- addressing

    private boolean isForUs(Said said) {
        return chats.isForUs(said) || (!said.bot() && bot.groups() == Groups.MENTION && isOfOurAlbum(said));
    }

    /** Only one part of an album has the text that mentions the bot, mostly the first. */
    private boolean isOfOurAlbum(Said said) {
        return said.album() != null && albums.containsKey(said.address().chat() + " " + said.album());
    }

    private void meansUs(Said said) {
        if (said.album() != null) {
            albums.put(said.address().chat() + " " + said.album(), true);
        }
    }

    private void said(Said said, String update) throws UnavailableException, InterruptedException {
        // A message has one number in its chat, however often and in whichever update it comes.
        String reference = said.message().equals("0") ? update : said.address().chat() + ":" + said.message();
        Optional<Said> admitted = chats.admit(said, reference, isForUs(said));
        if (admitted.isPresent()) {
            meansUs(said);
            if (!said.edited() || !said.text().startsWith("[location")) { // a live location
                chats.takeAdmitted(admitted.get(), reference, update);
            }
        }
    }

    // ---- platform

    @Override
    public Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        return downloads.file(attachment);
    }

    @Override
    public boolean isPart(Said said) {
        boolean longText = isOfLongText(said);
        return said.album() != null || longText;
    }

    /** Clients split a long text into full messages and a shorter last one, sent within 2 s. */
    private boolean isOfLongText(Said said) {
        boolean full = said.text().length() >= NEARLY_FULL;
        String who = said.address().chat() + " " + said.author().id();
        Instant at = said.at();
        if (at == null || said.edited()) {
            return full;
        }
        Instant before = full ? longTexts.put(who, at) : longTexts.remove(who);
        return full || (before != null && !at.isAfter(before.plus(SPLIT_WINDOW)));
    }

    /** A button shows a spinner until its press is acknowledged. */
    @Override
    public void noticed(Pressed pressed, String notice) throws InterruptedException {
        ObjectNode answer = BotApi.params().put("callback_query_id", pressed.query());
        if (!notice.isEmpty()) {
            answer.put("text", notice);
        }
        try {
            api.call("answerCallbackQuery", answer, ACK_TIMEOUT);
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("button press could not be acknowledged in time");
        }
    }

    @Override
    public boolean isReplaced(Pressed pressed, String text) throws InterruptedException {
        var edit = BotApi.params(
                        new ConversationAddress(bot.name(), pressed.address().chat(), null))
                .put("message_id", Long.parseLong(pressed.message()))
                .put("text", text);
        try {
            api.call("editMessageText", edit, ACK_TIMEOUT);
            return true;
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("message with buttons could not be updated");
            return e.says("message is not modified");
        }
    }
}
