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
import dev.parley.platform.collection.NewestMap;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lets people in to a bot, and tells the others why not: strangers once an hour, everybody in a chat of an archived project once. */
final class BotAdmission {
    private static final Duration AGAIN = Duration.ofHours(1);
    private static final int REMEMBERED = 10_000;

    private final BotConfig bot;
    private final Intake intake;
    private final BotAudience people;
    private final Rights rights;
    private final MeterRegistry registry;
    private final Function<@Nullable String, BotTexts> texts;
    /** When somebody was told something. */
    private final Map<String, Long> told = new NewestMap<>(REMEMBERED);

    BotAdmission(BotConfig bot, ChatServices services, Intake intake, Function<@Nullable String, BotTexts> texts) {
        this.bot = bot;
        this.intake = intake;
        this.people = services.people();
        this.rights = services.rights();
        this.registry = services.registry();
        this.texts = texts;
    }

    /** Why nobody can be let in now. */
    Optional<String> problem() {
        return rights.problem(bot);
    }

    /** Whether a message may come in; nobody is told anything. */
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

    /** The message as said by whom it is known to be; empty where that one may not say it, and was told. */
    Optional<Said> admit(Said said, String reference) throws UnavailableException, InterruptedException {
        Verdict verdict = judge(said);
        if (verdict.allows()) {
            if (needed(said)[0] != Capability.SESSION_READ) {
                forget(chat(said)); // whatever the project was, it is not archived
            }
            return Optional.of(said.by(verdict.sender()));
        }
        refused();
        if (!said.edited()) {
            tell(said, reference, verdict.answer());
        }
        return Optional.empty();
    }

    /** What whoever pressed a button may do; where they may not, the words say why. */
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

    private void tell(Said said, String reference, Answer answer) throws UnavailableException, InterruptedException {
        String author = "author " + said.author().id();
        switch (answer) {
            case STRANGER, UNLINKED -> {
                if (said.privately()) {
                    tellOnce(said, reference, author, answer);
                }
            }
            case FORBIDDEN, OUTSIDE -> {
                if (said.privately()) {
                    say(said, reference, answer);
                } else if (said.addressed()) {
                    tellOnce(said, reference, author, answer);
                }
            }
            case ARCHIVED -> tellOnce(said, reference, chat(said), answer);
            case ALLOWED -> {} // nothing to tell
        }
    }

    private static String chat(Said said) {
        return "chat " + said.address().chat();
    }

    private void tellOnce(Said said, String reference, String whom, Answer answer)
            throws UnavailableException, InterruptedException {
        if (!isDue(whom)) {
            return;
        }
        try {
            say(said, reference, answer);
        } catch (UnavailableException e) {
            forget(whom);
            people.withdraw(bot.name(), said.author()); // nobody has read the code
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

    /** Why somebody is not let in. */
    static String why(BotTexts words, Answer answer) {
        return switch (answer) {
            case FORBIDDEN -> words.say("forbidden");
            case OUTSIDE -> words.say("outside");
            case ARCHIVED -> words.say("project-archived");
            case UNLINKED -> words.say("link-first");
            case STRANGER, ALLOWED -> words.say("not-yours");
        };
    }

    /** Whether this one is to be told, who was not told for a while. */
    private boolean isDue(String whom) {
        long now = System.nanoTime();
        synchronized (told) {
            Long before = told.get(whom);
            if (before != null && now - before < AGAIN.toNanos()) {
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
