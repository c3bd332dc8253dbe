package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Rights.Decision;
import dev.parley.channels.contract.Rights.Verdict;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.access.Capability;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.bot.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Admits users to a bot, and sends the others the reason: unknown users once an hour, members of a chat of an archived
 * project once an hour.
 */
final class BotAdmission {
    private static final Duration REPEAT_INTERVAL = Duration.ofHours(1);
    private static final int MAX_REMEMBERED = 10_000;

    private final BotConfig bot;
    private final Intake intake;
    private final BotAudience people;
    private final Rights rights;
    private final MeterRegistry registry;
    private final ChatSide side;
    private final Function<@Nullable String, BotTexts> texts;
    /** Time of the last notice, by user or chat. */
    private final Map<String, Long> notified = new BoundedMap<>(MAX_REMEMBERED);

    BotAdmission(
            BotConfig bot,
            ChatServices services,
            Intake intake,
            ChatSide side,
            Function<@Nullable String, BotTexts> texts) {
        this.bot = bot;
        this.intake = intake;
        this.people = services.people();
        this.rights = services.rights();
        this.registry = services.registry();
        this.side = side;
        this.texts = texts;
    }

    /** The problem that prevents any admission now; empty for none. */
    Optional<String> problem() {
        return rights.problem(bot);
    }

    /** Whether a message is admitted; sends no reply. */
    boolean isAdmitted(ChatMessage message) {
        return decide(message).allows();
    }

    private Verdict decide(ChatMessage message) {
        return rights.decide(bot, message.author(), requiredCapabilities(message));
    }

    private static Capability[] requiredCapabilities(ChatMessage message) {
        String command = message.command();
        if (command != null && ChatCommands.knows(command)) {
            return new Capability[] {ChatCommands.needs(command, message.text())};
        }
        return message.attachments().isEmpty()
                ? new Capability[] {Capability.SESSION_SEND}
                : new Capability[] {Capability.SESSION_SEND, Capability.FILE_WRITE};
    }

    /** The message with its linked sender; empty where the sender may not send it and was notified. */
    Optional<ChatMessage> admit(ChatMessage message, String reference)
            throws UnavailableException, InterruptedException {
        Verdict verdict = decide(message);
        if (verdict.allows()) {
            if (requiredCapabilities(message)[0] != Capability.SESSION_READ) {
                forget(chat(message)); // so the project is not archived
            }
            return Optional.of(message.withAuthor(verdict.sender()));
        }
        countRefusal();
        if (!message.edited()) {
            refuse(message, reference, verdict.decision());
        }
        return Optional.empty();
    }

    /** The decision about what a person did without a message. */
    Verdict admit(Sender author, Capability required) {
        Verdict verdict = rights.decide(bot, author, required);
        if (!verdict.allows()) {
            countRefusal();
        }
        return verdict;
    }

    private void countRefusal() {
        registry.counter("parley_channel_refused", "bot", bot.name()).increment();
    }

    private void refuse(ChatMessage message, String reference, Decision decision)
            throws UnavailableException, InterruptedException {
        if (side.answerAlone(message, () -> text(message, decision))) {
            return;
        }
        String author = "author " + message.author().id();
        switch (decision) {
            case STRANGER, UNLINKED -> {
                if (message.privately()) {
                    refuseOnce(message, reference, author, decision);
                }
            }
            case FORBIDDEN, OUTSIDE -> {
                if (message.privately()) {
                    say(message, reference, decision);
                } else if (message.addressed()) {
                    refuseOnce(message, reference, author, decision);
                }
            }
            case ARCHIVED -> refuseOnce(message, reference, chat(message), decision);
            case ALLOWED -> {} // no notice is sent
        }
    }

    private static String chat(ChatMessage message) {
        return "chat " + message.address().chat();
    }

    private void refuseOnce(ChatMessage message, String reference, String key, Decision decision)
            throws UnavailableException, InterruptedException {
        if (!isDue(key)) {
            return;
        }
        try {
            say(message, reference, decision);
        } catch (UnavailableException e) {
            forget(key);
            people.withdraw(bot.name(), message.author()); // the code was not sent
            throw e;
        }
    }

    private void say(ChatMessage message, String reference, Decision decision)
            throws UnavailableException, InterruptedException {
        intake.reply(message.address(), reference, text(message, decision), List.of());
    }

    private String text(ChatMessage message, Decision decision) {
        BotTexts words = texts.apply(message.language());
        return decision == Decision.STRANGER ? refusal(words, message.author()) : refusalText(words, decision);
    }

    private String refusal(BotTexts words, Sender author) {
        return bot.pairing()
                ? people.code(bot.name(), author)
                        .map(code -> words.format("refused-code", code))
                        .orElseGet(() -> words.format("refused-waiting"))
                : words.format("refused", author.id());
    }

    static String refusalText(BotTexts words, Decision decision) {
        return switch (decision) {
            case FORBIDDEN -> words.format("forbidden");
            case OUTSIDE -> words.format("outside");
            case ARCHIVED -> words.format("project-archived");
            case UNLINKED -> words.format("link-first");
            case STRANGER, ALLOWED -> words.format("not-yours");
        };
    }

    /** Whether the user or chat was not notified within the last hour. */
    private boolean isDue(String key) {
        long now = System.nanoTime();
        synchronized (notified) {
            Long before = notified.get(key);
            if (before != null && now - before < REPEAT_INTERVAL.toNanos()) {
                return false;
            }
            notified.put(key, now);
            return true;
        }
    }

    private void forget(String key) {
        synchronized (notified) {
            notified.remove(key);
        }
    }
}
