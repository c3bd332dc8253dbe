package dev.parley.channels.chat;

import dev.parley.channels.chat.Event.Pressed;
import dev.parley.channels.chat.Event.Said;
import dev.parley.channels.contract.BotAudience;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights;
import dev.parley.channels.contract.Rights.Answer;
import dev.parley.channels.contract.Rights.Verdict;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.access.Capability;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Admits users to a bot, and tells the others why not: unknown users once an hour, members of a chat of an archived
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
    private final Function<@Nullable String, BotTexts> texts;
    /** When a user or chat was told. */
    private final Map<String, Long> told = new BoundedMap<>(MAX_REMEMBERED);

    BotAdmission(BotConfig bot, ChatServices services, Intake intake, Function<@Nullable String, BotTexts> texts) {
        this.bot = bot;
        this.intake = intake;
        this.people = services.people();
        this.rights = services.rights();
        this.registry = services.registry();
        this.texts = texts;
    }

    /** Why nobody can be admitted now. */
    Optional<String> problem() {
        return rights.problem(bot);
    }

    /** Whether a message is admitted; nobody is told. */
    boolean isOpen(Said said) {
        return judge(said).allows();
    }

    private Verdict judge(Said said) {
        return rights.judge(bot, said.author(), needed(said));
    }

    private static Capability[] needed(Said said) {
        String command = said.command();
        if (command != null && Commands.knows(command)) {
            return new Capability[] {Commands.needs(command, said.text())};
        }
        return said.attachments().isEmpty()
                ? new Capability[] {Capability.SESSION_SEND}
                : new Capability[] {Capability.SESSION_SEND, Capability.FILE_WRITE};
    }

    /** The message with its linked sender; empty where the sender may not send it, and was told. */
    Optional<Said> admit(Said said, String reference) throws UnavailableException, InterruptedException {
        Verdict verdict = judge(said);
        if (verdict.allows()) {
            if (needed(said)[0] != Capability.SESSION_READ) {
                forget(chat(said)); // so the project is not archived
            }
            return Optional.of(said.by(verdict.sender()));
        }
        refused();
        if (!said.edited()) {
            refuse(said, reference, verdict.answer());
        }
        return Optional.empty();
    }

    /** The decision about a press. */
    Verdict admit(Pressed pressed, Capability needed) {
        Verdict verdict = rights.judge(bot, pressed.author(), needed);
        if (!verdict.allows()) {
            refused();
        }
        return verdict;
    }

    private void refused() {
        registry.counter("parley_channel_refused", "bot", bot.name()).increment();
    }

    private void refuse(Said said, String reference, Answer answer) throws UnavailableException, InterruptedException {
        String author = "author " + said.author().id();
        switch (answer) {
            case STRANGER, UNLINKED -> {
                if (said.privately()) {
                    refuseOnce(said, reference, author, answer);
                }
            }
            case FORBIDDEN, OUTSIDE -> {
                if (said.privately()) {
                    say(said, reference, answer);
                } else if (said.addressed()) {
                    refuseOnce(said, reference, author, answer);
                }
            }
            case ARCHIVED -> refuseOnce(said, reference, chat(said), answer);
            case ALLOWED -> {} // nothing to tell
        }
    }

    private static String chat(Said said) {
        return "chat " + said.address().chat();
    }

    private void refuseOnce(Said said, String reference, String whom, Answer answer)
            throws UnavailableException, InterruptedException {
        if (!isDue(whom)) {
            return;
        }
        try {
            say(said, reference, answer);
        } catch (UnavailableException e) {
            forget(whom);
            people.withdraw(bot.name(), said.author()); // the code was not sent
            throw e;
        }
    }

    private void say(Said said, String reference, Answer answer) throws UnavailableException, InterruptedException {
        BotTexts words = texts.apply(said.language());
        String text = answer == Answer.STRANGER ? refusal(words, said.author()) : why(words, answer);
        intake.answer(said.address(), reference, text, List.of());
    }

    private String refusal(BotTexts words, Sender author) {
        return bot.pairing()
                ? people.code(bot.name(), author)
                        .map(code -> words.say("refused-code", code))
                        .orElseGet(() -> words.say("refused-waiting"))
                : words.say("refused", author.id());
    }

    /** The text for a refusal. */
    static String why(BotTexts words, Answer answer) {
        return switch (answer) {
            case FORBIDDEN -> words.say("forbidden");
            case OUTSIDE -> words.say("outside");
            case ARCHIVED -> words.say("project-archived");
            case UNLINKED -> words.say("link-first");
            case STRANGER, ALLOWED -> words.say("not-yours");
        };
    }

    /** Whether it was not told within the last hour. */
    private boolean isDue(String whom) {
        long now = System.nanoTime();
        synchronized (told) {
            Long before = told.get(whom);
            if (before != null && now - before < REPEAT_INTERVAL.toNanos()) {
                return false;
            }
            told.put(whom, now);
            return true;
        }
    }

    private void forget(String whom) {
        synchronized (told) {
            told.remove(whom);
        }
    }
}
