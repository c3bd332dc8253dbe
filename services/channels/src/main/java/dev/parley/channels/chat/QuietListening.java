package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Deleted;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Groups;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.bot.BotConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What people say in groups, and not to the bot: reported to the sessions of chats where somebody has spoken to it. Off
 * by default; each chat is told when it begins. Thread-safe.
 */
final class QuietListening {
    private static final Logger LOG = LoggerFactory.getLogger(QuietListening.class);

    /** Of one chat; what exceeds it is dropped, because only the newest messages are kept anyway. */
    private static final int PER_MINUTE = 120;

    private static final int MAX_CHATS = 10_000;
    private static final int MAX_EARLIER = 50;

    private final BotConfig bot;
    private final Intake intake;
    private final ChatSide side;
    private final Function<@Nullable String, BotTexts> texts;
    private final Counter dropped;
    private final Map<String, Minute> minutes = Collections.synchronizedMap(new BoundedMap<>(MAX_CHATS));
    /** Chats that this process has told. The ledger of deliveries tells each only once. */
    private final Set<String> told =
            Collections.newSetFromMap(Collections.synchronizedMap(new BoundedMap<>(MAX_CHATS)));
    /** Conversations whose session exists, as far as this process knows. */
    private final Set<String> begun =
            Collections.newSetFromMap(Collections.synchronizedMap(new BoundedMap<>(MAX_CHATS)));

    private record Minute(long number, int messages) {}

    QuietListening(
            BotConfig bot,
            Intake intake,
            ChatSide side,
            Function<@Nullable String, BotTexts> texts,
            MeterRegistry registry) {
        this.bot = bot;
        this.intake = intake;
        this.side = side;
        this.texts = texts;
        this.dropped = registry.counter("parley_channel_overheard_dropped", "bot", bot.name());
    }

    private boolean isOn() {
        return bot.listens() && bot.groups() != Groups.OFF;
    }

    /** Reports a message that is not for the bot. Commands are another bot's. */
    void hear(ChatMessage message, String reference, String revision)
            throws UnavailableException, InterruptedException {
        if (!isOn() || message.privately() || message.bot() || message.command() != null) {
            return;
        }
        Overheard overheard = overheard(message);
        if (!overheard.isDeleted() || message.edited()) { // an edit that leaves no words takes the old ones away
            String change = message.edited() ? revision : "";
            report(message.address(), message.author(), overheard, reference + change, message.language());
        }
    }

    /** Reports that a message was deleted. */
    void forget(Deleted deleted, String reference) throws UnavailableException, InterruptedException {
        if (isOn()) {
            var overheard = new Overheard(deleted.id(), "", "", Instant.now());
            report(deleted.address(), new Sender("unknown", ""), overheard, "deleted " + reference, null);
        }
    }

    private void report(
            ConversationAddress address, Sender sender, Overheard overheard, String revision, @Nullable String language)
            throws UnavailableException, InterruptedException {
        boolean takesAway = overheard.isDeleted(); // what people take back must not stay because others write much
        if (!takesAway && !takes(address.chat())) {
            dropped.increment();
            return;
        }
        var _ = intake.overhear(address, bot.kind(), sender, overheard, revision)
                .thenAccept(outcome -> {
                    if (!(outcome instanceof Outcome.Refused) && told.add(address.chat())) {
                        Thread.ofVirtual().start(() -> tell(address, language));
                    }
                });
    }

    private boolean takes(String chat) {
        long now = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime());
        Minute minute = minutes.merge(
                chat,
                new Minute(now, 1),
                (old, first) -> old.number() == now ? new Minute(now, old.messages() + 1) : first);
        return minute.messages() <= PER_MINUTE;
    }

    private void tell(ConversationAddress address, @Nullable String language) {
        try {
            intake.reply(address, "listening", texts.apply(language).format("listening"), List.of());
        } catch (UnavailableException e) {
            told.remove(address.chat());
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("chat", address.chat())
                    .addKeyValue("reason", e.getMessage())
                    .log("a chat could not be told that the bot listens; the next message tells it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What was said before a message that is for the bot, where this process has not seen one before. The session takes
     * it only if the message opens it.
     */
    List<Overheard> before(ChatMessage message) throws InterruptedException {
        if (!isOn() || message.privately() || !begun.add(message.address().channelId())) {
            return List.of();
        }
        try {
            return side.earlier(message, MAX_EARLIER).stream()
                    .filter(earlier -> !earlier.bot() && !earlier.id().equals(message.id()))
                    .map(QuietListening::overheard)
                    .filter(earlier -> !earlier.isDeleted())
                    .toList();
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("chat", message.address().chat())
                    .setCause(e)
                    .log("earlier messages could not be read");
            return List.of();
        }
    }

    private static Overheard overheard(ChatMessage message) {
        String files = message.attachments().stream()
                .map(Attachment::name)
                .map(name -> "[file: " + name + "]")
                .collect(Collectors.joining(" "));
        String text = Stream.of(message.context(), message.text().strip(), files)
                .filter(part -> part != null && !part.isEmpty())
                .collect(Collectors.joining("\n"));
        Instant at = message.sentAt() == null ? Instant.now() : message.sentAt();
        return new Overheard(message.id(), message.author().name(), text, at);
    }
}
