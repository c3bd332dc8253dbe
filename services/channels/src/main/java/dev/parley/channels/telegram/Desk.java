package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.Incoming;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Memory;
import dev.parley.channels.contract.People;
import dev.parley.channels.contract.Place;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.telegram.Event.Attachment;
import dev.parley.channels.telegram.Event.Membership;
import dev.parley.channels.telegram.Event.Migrated;
import dev.parley.channels.telegram.Event.Other;
import dev.parley.channels.telegram.Event.Pressed;
import dev.parley.channels.telegram.Event.Said;
import dev.parley.domain.content.Block;
import dev.parley.domain.turn.MailboxMode;
import dev.parley.domain.turn.Outcome;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a bot's updates are taken in, in whichever instance they arrive. */
final class Desk {
    private static final Logger LOG = LoggerFactory.getLogger(Desk.class);
    /** Telegram gives no larger file away. */
    private static final int MOST = 20 << 20;
    /** What a client splits into several messages, it splits near its limit. */
    private static final int NEARLY_FULL = 4_000;

    private static final Duration REFUSED_AGAIN = Duration.ofHours(1);
    private static final int REMEMBERED = 10_000;
    private static final int TRIES = 3;

    private final BotConfig bot;
    private final BotApi api;
    private final Intake intake;
    private final Memory memory;
    private final People people;
    private final BlobStore blobs;
    private final Commands commands;
    private final MeterRegistry registry;
    private final Map<String, Long> refused = new NewestMap<>(REMEMBERED);

    private final Map<String, Integer> failures = new NewestMap<>(REMEMBERED);

    private volatile @Nullable Updates updates;

    Desk(
            BotConfig bot,
            BotApi api,
            Intake intake,
            Memory memory,
            People people,
            BlobStore blobs,
            Commands commands,
            MeterRegistry registry) {
        this.bot = bot;
        this.api = api;
        this.intake = intake;
        this.memory = memory;
        this.people = people;
        this.blobs = blobs;
        this.commands = commands;
        this.registry = registry;
    }

    /** Who the bot is. */
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

    /**
     * Takes an update in; when it returns, the update may be forgotten.
     *
     * @throws UnavailableException when it has to come again
     */
    void take(JsonNode update) throws UnavailableException, InterruptedException {
        Event event;
        Updates me;
        try {
            me = me();
        } catch (BotApiException | IllegalStateException e) {
            throw new UnavailableException("it is not known who the bot is: " + e.getMessage());
        }
        try {
            event = me.event(update);
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("bot", bot.name()).setCause(e).log("an update cannot be read and is passed over");
            event = new Other("unreadable");
        }
        registry.counter("parley_channel_updates", "bot", bot.name(), "kind", kind(event))
                .increment();
        String reference = update.path("update_id").asText();
        try {
            take(event, reference);
        } catch (IllegalStateException e) {
            throw e; // the database's: it may come again
        } catch (RuntimeException e) {
            // It would come again and again.
            registry.counter("parley_channel_failed", "bot", bot.name()).increment();
            LOG.atError()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("update", reference)
                    .setCause(e)
                    .log("an update is passed over");
        }
    }

    private void take(Event event, String reference) throws UnavailableException, InterruptedException {
        switch (event) {
            case Said said -> said(said, reference);
            case Pressed pressed -> pressed(pressed, reference);
            case Membership change -> memory.writable(change.place(), change.canWrite());
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

    // ---- who may

    private boolean isAllowed(Sender author) {
        return bot.allowAll()
                || bot.allowedUsers().contains(author.id())
                || (bot.pairing() && people.isAllowed(bot.name(), author.id()));
    }

    private boolean isForUs(Said said) {
        if (said.bot()) {
            return false; // two bots would talk for ever
        }
        return said.privately()
                || switch (bot.groups()) {
                    case OFF -> false;
                    case MENTION -> said.addressed() || said.command() != null;
                    case ALL -> true;
                };
    }

    private void said(Said said, String update) throws UnavailableException, InterruptedException {
        if (!isForUs(said)) {
            return;
        }
        // A message has one number in its chat, however often and in whichever update it comes.
        String reference = said.messageId() == 0 ? update : said.place().chat() + ":" + said.messageId();
        if (!isAllowed(said.author())) {
            registry.counter("parley_channel_refused", "bot", bot.name()).increment();
            if (said.privately() && refusedNow(said.author().id())) {
                answer(said.place(), reference, refusal(said.author()));
            }
            return;
        }
        if (said.edited()) {
            if (said.command() == null && !said.text().startsWith("[location")) {
                turn(said, reference, update);
            }
            return;
        }
        String command = said.command();
        if (command != null && Commands.knows(command)) {
            var answer = commands.carryOut(command, said.text(), said.place(), said.author(), reference);
            if (answer.isPresent()) {
                answer(
                        said.place(),
                        reference,
                        answer.get().text(),
                        answer.get().buttons());
            }
            return;
        }
        if (command != null && !said.privately() && !said.addressed()) {
            return; // another bot's
        }
        if (command != null && said.privately()) {
            answer(said.place(), reference, "I don't know /%s. /help lists what I do.".formatted(command));
            return;
        }
        turn(said, reference, update);
    }

    private String refusal(Sender author) {
        String sorry = "Sorry, I may not talk to you. ";
        return bot.pairing()
                ? people.code(bot.name(), author)
                        .map(code -> sorry + "My operator can let you in with this code, within an hour: " + code)
                        .orElse(sorry + "My operator can let you in with the code that I gave you.")
                : sorry + "My operator can allow it; your id is " + author.id() + ".";
    }

    /** Whether this one is to be told, who was not told for a while. */
    private boolean refusedNow(String author) {
        long now = System.nanoTime();
        synchronized (refused) {
            Long before = refused.get(author);
            if (before != null && now - before < REFUSED_AGAIN.toNanos()) {
                return false;
            }
            refused.put(author, now);
            return true;
        }
    }

    // ---- what becomes a turn

    private void turn(Said said, String reference, String update) throws UnavailableException, InterruptedException {
        var content = new ArrayList<Block>();
        String words = words(said);
        if (!words.isBlank()) {
            content.add(Block.text(words));
        }
        for (Attachment attachment : said.attachments()) {
            content.add(file(attachment));
        }
        if (content.isEmpty()) {
            return; // a command of which nothing remained
        }
        boolean part = said.album() != null || said.text().length() >= NEARLY_FULL;
        var incoming = new Incoming(
                said.place(),
                reference,
                TelegramChannel.KIND,
                said.author(),
                bot.agent(),
                part ? MailboxMode.COLLECT : MailboxMode.FOLLOWUP,
                content,
                said.privately() ? null : Long.toString(said.messageId()));
        if (said.edited()) {
            intake.revise(incoming, "edit " + update);
            return;
        }
        intake.take(incoming).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Refused no) {
                Thread.ofVirtual().start(() -> refused(said.place(), reference, no));
            }
        });
    }

    private void refused(Place place, String reference, Outcome.Refused no) {
        answer(
                place,
                reference,
                switch (no.code()) {
                    case "session_archived" -> "This conversation is archived. /new begins another one.";
                    case "queue_full" -> "Too much waits already. Please try again in a moment.";
                    default -> "That did not work: " + no.message() + ".";
                });
    }

    private static String words(Said said) {
        String text = said.privately() ? said.text() : said.author().name() + ": " + said.text();
        return said.context() == null ? text : said.context() + "\n" + text;
    }

    private Block file(Attachment attachment) throws UnavailableException, InterruptedException {
        if (attachment.size() > MOST) {
            return Block.text("[file '%s', %s, %d bytes: too large to be fetched]"
                    .formatted(attachment.name(), attachment.mimeType(), attachment.size()));
        }
        try {
            byte[] bytes = api.download(attachment.fileId(), MOST);
            BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(bytes));
            return new Block.File(attachment.name(), attachment.mimeType(), blob.size(), blob.sha256(), null, null);
        } catch (BotApiException e) {
            boolean later = e.code() == BotApiException.NO_ANSWER || e.code() >= 429;
            if (later && mayComeAgain(attachment)) {
                throw new UnavailableException("the file is not there yet: " + e.getMessage());
            }
            return Block.text("[file '%s', %s: cannot be fetched]".formatted(attachment.name(), attachment.mimeType()));
        } catch (BlobStore.TooLargeException e) {
            return Block.text("[file '%s', %s: too large]".formatted(attachment.name(), attachment.mimeType()));
        } catch (IOException e) {
            throw new UnavailableException("the blob store: " + e);
        }
    }

    /** Whether a file that was not there is worth another try: its message holds up all others. */
    private boolean mayComeAgain(Attachment attachment) {
        synchronized (failures) {
            return failures.merge(attachment.fileId(), 1, Integer::sum) < TRIES;
        }
    }

    // ---- buttons

    /** The model that a button stands for is checked like one that was written: who presses is nobody special. */
    private void pressed(Pressed pressed, String reference) throws UnavailableException, InterruptedException {
        try {
            api.call("answerCallbackQuery", BotApi.params().put("callback_query_id", pressed.queryId()));
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("a press was too late to be answered");
        }
        int space = pressed.data().indexOf(' ');
        String command = space < 0 ? pressed.data() : pressed.data().substring(0, space);
        if (!isAllowed(pressed.author()) || !Commands.knows(command)) {
            return;
        }
        String rest = space < 0 ? "" : pressed.data().substring(space + 1);
        var answer = commands.carryOut(command, rest, pressed.place(), pressed.author(), reference);
        if (answer.isPresent()) {
            var edit = BotApi.params()
                    .put("chat_id", pressed.place().chat())
                    .put("message_id", pressed.messageId())
                    .put("text", answer.get().text());
            try {
                api.call("editMessageText", edit);
            } catch (BotApiException e) {
                LOG.atDebug().addKeyValue("why", e.getMessage()).log("a message with buttons stays as it is");
            }
        }
    }

    // ---- answers of the desk itself

    private void answer(Place place, String reference, String text) {
        answer(place, reference, text, List.of());
    }

    /** Says something at once, at most once. */
    private void answer(Place place, String reference, String text, List<String> buttons) {
        if (!memory.isFirst(place, "answer " + reference)) {
            return;
        }
        ObjectNode message = BotApi.params(place).put("text", text);
        if (!buttons.isEmpty()) {
            var keyboard = message.putObject("reply_markup").putArray("inline_keyboard");
            buttons.forEach(button ->
                    keyboard.addArray().addObject().put("text", button).put("callback_data", "model " + button));
        }
        // Nobody waits for it: it must not hold up what others say.
        Thread.ofVirtual().name("answer").start(() -> send(message));
    }

    private void send(ObjectNode message) {
        try {
            attempt(message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void attempt(ObjectNode message) throws InterruptedException {
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                api.call("sendMessage", message);
                return;
            } catch (BotApiException e) {
                if (e.inDoubt() || (e.code() >= 400 && e.code() < 429)) {
                    LOG.atInfo()
                            .addKeyValue("bot", bot.name())
                            .addKeyValue("why", e.getMessage())
                            .log("an answer was not sent");
                    return;
                }
                Duration wait = e.retryAfter() == null ? Duration.ofSeconds(1) : e.retryAfter();
                Thread.sleep(wait.compareTo(Duration.ofSeconds(30)) > 0 ? Duration.ofSeconds(30) : wait);
            }
        }
    }
}
