package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Incoming;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Memory;
import dev.parley.channels.contract.TurnRates;
import dev.parley.channels.telegram.Commands.Asked;
import dev.parley.channels.telegram.Event.Attachment;
import dev.parley.channels.telegram.Event.Membership;
import dev.parley.channels.telegram.Event.Migrated;
import dev.parley.channels.telegram.Event.Other;
import dev.parley.channels.telegram.Event.Pressed;
import dev.parley.channels.telegram.Event.Said;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where a bot's updates are taken in, in whichever instance they arrive. It is long because there are many kinds of updates. */
final class UpdateHandler {
    private static final Logger LOG = LoggerFactory.getLogger(UpdateHandler.class);
    /** What a client splits into several messages, it splits near its limit. */
    private static final int NEARLY_FULL = 4_000;

    private static final int REMEMBERED = 10_000;
    private static final Duration ALERT = Duration.ofSeconds(5);
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final BotConfig bot;
    private final BotApi api;
    private final Intake intake;
    private final Memory memory;
    private final BotAdmission admission;
    private final Linking linking;
    private final Downloads downloads;
    private final Commands commands;
    private final Buttons buttons;
    private final MeterRegistry registry;

    private final Map<String, Boolean> albums = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));
    private final Map<String, Instant> longTexts = Collections.synchronizedMap(new NewestMap<>(REMEMBERED));

    private volatile @Nullable Updates updates;

    UpdateHandler(
            BotConfig bot,
            BotApi api,
            Intake intake,
            Memory memory,
            BotAdmission admission,
            Linking linking,
            Downloads downloads,
            Commands commands,
            Buttons buttons,
            MeterRegistry registry) {
        this.bot = bot;
        this.api = api;
        this.intake = intake;
        this.memory = memory;
        this.admission = admission;
        this.linking = linking;
        this.downloads = downloads;
        this.commands = commands;
        this.buttons = buttons;
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

    /** Takes updates of one chat in, in their order. The files of albums are fetched at once, so that an album stays together. */
    void take(List<JsonNode> updates) throws UnavailableException, InterruptedException {
        var files = updates.size() > 1 ? filesOfAlbums(updates) : List.<Attachment>of();
        try {
            downloads.ahead(files);
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
                .map(update -> read(me, update))
                .flatMap(event -> event instanceof Said said && said.album() != null ? Stream.of(said) : Stream.of())
                .filter(said -> !said.bot() && admission.isOpen(said))
                .toList();
        // Whichever part the words stand below that mention the bot, all of them count.
        parts.stream().filter(this::isForUs).forEach(this::meansUs);
        return parts.stream()
                .filter(this::isForUs)
                .flatMap(said -> said.attachments().stream())
                .toList();
    }

    /**
     * Takes an update in; when it returns, the update may be forgotten.
     *
     * @throws UnavailableException when it has to come again
     */
    void take(JsonNode update) throws UnavailableException, InterruptedException {
        Event event = read(whoAmI(), update);
        registry.counter("parley_channel_updates", "bot", bot.name(), "kind", kind(event))
                .increment();
        String reference = update.path("update_id").asText();
        if (event instanceof Said said && !said.edited() && said.at() != null) {
            Duration lag = Duration.between(said.at(), Instant.now());
            registry.timer("parley_channel_lag", "bot", bot.name()).record(lag.isNegative() ? Duration.ZERO : lag);
        }
        try {
            take(event, reference);
        } catch (IllegalStateException e) {
            throw e; // the database's: it may come again
        } catch (UnavailableException e) {
            if (e.why() != UnavailableException.Why.TOO_LARGE) {
                throw e;
            }
            passOver(reference, e);
        } catch (RuntimeException e) {
            passOver(reference, e);
        }
    }

    /** It would come again and again. */
    private void passOver(String reference, Exception e) {
        registry.counter("parley_channel_failed", "bot", bot.name()).increment();
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("update", reference)
                .setCause(e)
                .log("update skipped");
    }

    /** Why nothing can be taken in now. */
    Optional<String> problem() {
        return admission.problem();
    }

    private Updates whoAmI() throws UnavailableException, InterruptedException {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            throw new UnavailableException(problem.get());
        }
        try {
            return me();
        } catch (BotApiException | IllegalStateException e) {
            throw new UnavailableException("it is not known who the bot is: " + e.getMessage());
        }
    }

    private Event read(Updates me, JsonNode update) {
        try {
            return me.event(update);
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("bot", bot.name()).setCause(e).log("unreadable update skipped");
            return new Other("unreadable");
        }
    }

    private void take(Event event, String reference) throws UnavailableException, InterruptedException {
        switch (event) {
            case Said said -> said(said, reference);
            case Pressed pressed -> pressed(pressed, reference);
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

    // ---- who is meant

    private boolean isForUs(Said said) {
        if (said.bot()) {
            return false; // two bots would talk for ever
        }
        return said.privately()
                || switch (bot.groups()) {
                    case OFF -> false;
                    case MENTION -> said.addressed() || said.command() != null || isOfOurAlbum(said);
                    case ALL -> true;
                };
    }

    /** The words that mention the bot stand below one part of an album, most often the first. */
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
        String reference = said.messageId() == 0 ? update : said.address().chat() + ":" + said.messageId();
        if (linking.take(said, reference, isForUs(said)) || !isForUs(said)) {
            return;
        }
        Optional<Said> admitted = admission.admit(said, reference);
        if (admitted.isPresent()) {
            meansUs(said);
            admitted(admitted.get(), reference, update);
        }
    }

    private void admitted(Said said, String reference, String update)
            throws UnavailableException, InterruptedException {
        if (said.edited()) {
            if (said.command() == null && !said.text().startsWith("[location")) {
                turn(said, reference, update);
            }
            return;
        }
        String command = said.command();
        var by = new Asked(said.address(), said.author(), reference, BotTexts.in(said.language()));
        if (command == null && said.privately() && said.answered() != null) {
            var answer = commands.answer(said.answered(), said.text(), by);
            if (answer.isPresent()) {
                answer(said.address(), reference, answer.get().text());
                return;
            }
        }
        if (command != null && Commands.knows(command)) {
            var answer = commands.carryOut(command, said.text(), by);
            if (answer.isPresent()) {
                intake.answer(
                        said.address(),
                        reference,
                        answer.get().text(),
                        answer.get().choices());
            }
            return;
        }
        if (command != null && !said.privately() && !said.addressed()) {
            return; // another bot's
        }
        if (command != null && said.privately()) {
            answer(said.address(), reference, BotTexts.in(said.language()).say("unknown-command", command));
            return;
        }
        turn(said, reference, update);
    }

    // ---- what becomes a turn

    private void turn(Said said, String reference, String update) throws UnavailableException, InterruptedException {
        var content = new ArrayList<Block>();
        String words = words(said);
        if (!words.isBlank()) {
            content.add(Block.text(words));
        }
        for (Attachment attachment : said.attachments()) {
            content.add(downloads.file(attachment));
        }
        if (content.isEmpty()) {
            return; // a command of which nothing remained
        }
        boolean longText = isOfLongText(said);
        boolean part = said.album() != null || longText;
        var incoming = new Incoming(
                said.address(),
                reference,
                TelegramChannel.KIND,
                said.author(),
                bot.agent(),
                part ? MailboxMode.COLLECT : MailboxMode.FOLLOWUP,
                content,
                said.privately() ? null : Long.toString(said.messageId()),
                !said.privately());
        if (said.edited()) {
            intake.revise(incoming, "edit " + update);
            return;
        }
        var _ = intake.take(incoming).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Refused no) {
                Thread.ofVirtual().start(() -> refused(said, reference, no));
            }
        });
    }

    /** A client cuts a long text into full messages and a last one, which is short, and sends them in a moment. */
    private boolean isOfLongText(Said said) {
        boolean full = said.text().length() >= NEARLY_FULL;
        String who = said.address().chat() + " " + said.author().id();
        Instant at = said.at();
        if (at == null || said.edited()) {
            return full;
        }
        Instant before = full ? longTexts.put(who, at) : longTexts.remove(who);
        return full || (before != null && !at.isAfter(before.plus(MOMENT)));
    }

    private void refused(Said said, String reference, Outcome.Refused no) {
        BotTexts words = BotTexts.in(said.language());
        String text = switch (no.code()) {
            case "session_archived" -> words.say("archived");
            case "queue_full" -> words.say("full");
            case TurnRates.Busy.CODE -> words.say("busy");
            default -> words.say("no-work", no.message());
        };
        try {
            answer(said.address(), reference, text);
        } catch (UnavailableException e) {
            LOG.atWarn().addKeyValue("why", e.getMessage()).log("refusal could not be sent");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String words(Said said) {
        if (said.album() != null && said.text().isBlank()) {
            return ""; // one part of an album has the words, and who speaks
        }
        String text = said.privately() ? said.text() : said.author().name() + ": " + said.text();
        return said.context() == null ? text : said.context() + "\n" + text;
    }

    // ---- buttons

    private void pressed(Pressed pressed, String reference) throws UnavailableException, InterruptedException {
        BotTexts words = BotTexts.in(pressed.language());
        Optional<Choice> choice = buttons.read(pressed.address().chat(), pressed.data());
        var verdict = admission.admit(
                pressed,
                choice.map(one -> Commands.needs(one.action(), one.value())).orElse(Capability.SESSION_READ));
        if (!verdict.allows()) {
            noticed(pressed, BotAdmission.why(words, verdict.answer()));
            return;
        }
        if (choice.isEmpty()) {
            noticed(pressed, words.say("old-button"));
            return;
        }
        Optional<Capability> more = Commands.needs(choice.get());
        if (more.isPresent() && !admission.admit(pressed, more.get()).allows()) {
            noticed(pressed, words.say("approval-forbidden"));
            return;
        }
        noticed(pressed, "");
        var by = new Asked(pressed.address(), verdict.sender(), reference, words);
        var answer = commands.carryOut(choice.get().action(), choice.get().value(), by);
        if (answer.isPresent() && !isReplaced(pressed, answer.get().text())) {
            answer(pressed.address(), reference, answer.get().text());
        }
    }

    /** Until a press is answered, its button looks busy. */
    private void noticed(Pressed pressed, String notice) throws InterruptedException {
        ObjectNode answer = BotApi.params().put("callback_query_id", pressed.queryId());
        if (!notice.isEmpty()) {
            answer.put("text", notice);
        }
        try {
            api.call("answerCallbackQuery", answer, ALERT);
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("button press could not be acknowledged in time");
        }
    }

    /** Whether the answer stands now where the buttons were, which are used up. */
    private boolean isReplaced(Pressed pressed, String text) throws InterruptedException {
        var edit = BotApi.params(
                        new ConversationAddress(bot.name(), pressed.address().chat(), null))
                .put("message_id", pressed.messageId())
                .put("text", text);
        try {
            api.call("editMessageText", edit, ALERT);
            return true;
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("message with buttons could not be updated");
            return e.says("message is not modified");
        }
    }

    private void answer(ConversationAddress address, String reference, String text)
            throws UnavailableException, InterruptedException {
        intake.answer(address, reference, text, List.of());
    }
}
