package dev.parley.channels.chat;

import dev.parley.channels.chat.Commands.Answer;
import dev.parley.channels.chat.Commands.Asked;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.Pressed;
import dev.parley.channels.chat.Event.Said;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Incoming;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.TurnRates;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.config.BotConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What people write and press in chats, taken in: whether the bot is meant and they may, what is a command, an answer to a task, or a turn.
 * Whatever it throws an {@link UnavailableException} for has to come again.
 */
public final class ChatHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ChatHandler.class);

    private final BotConfig bot;
    private final Intake intake;
    private final Platform platform;
    private final BotAdmission admission;
    private final Linking linking;
    private final Commands commands;
    private final Buttons buttons;
    private final MeterRegistry registry;

    /** What a platform does for it. */
    public interface Platform {
        /** A file as a block; or words about it where it cannot be had. @throws UnavailableException when it is worth another try */
        Block file(Attachment attachment) throws UnavailableException, InterruptedException;

        /** Whether a message is one part of what somebody says, and the others come in a moment. Asked once for each message. */
        default boolean isPart(Said said) {
            return false;
        }

        /** A press was heard. @param notice what to tell whoever pressed, alone; may be empty */
        void noticed(Pressed pressed, String notice) throws InterruptedException;

        /** Puts a text in place of the message whose button was pressed, and its buttons. @return whether it stands there */
        boolean isReplaced(Pressed pressed, String text) throws InterruptedException;

        /** What stands before the name of a command, where people are told of one. */
        default String slash() {
            return "/";
        }
    }

    public ChatHandler(BotConfig bot, ChatServices services, Intake intake, Buttons buttons, Platform platform) {
        this.bot = bot;
        this.intake = intake;
        this.platform = platform;
        this.buttons = buttons;
        this.registry = services.registry();
        this.admission = new BotAdmission(bot, services, intake, this::texts);
        this.linking = new Linking(bot, intake, services.memory(), services.links(), this::texts);
        this.commands =
                new Commands(bot, intake, services.catalogue(), services.tasks().get());
    }

    private BotTexts texts(@Nullable String language) {
        return BotTexts.in(language, platform.slash());
    }

    /** Why nothing can be taken in now. */
    public Optional<String> problem() {
        return admission.problem();
    }

    /** The event of a platform's payload; one that cannot be read is logged and skipped. */
    public Event read(Supplier<Event> payload) {
        try {
            return payload.get();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("bot", bot.name()).setCause(e).log("unreadable update skipped");
            return new Event.Other("unreadable");
        }
    }

    /** Counts an event that came in, and for a new message how long it was on its way. */
    public void count(Event event, String kind) {
        registry.counter("parley_channel_updates", "bot", bot.name(), "kind", kind)
                .increment();
        if (event instanceof Said said && !said.edited() && said.at() != null) {
            Duration lag = Duration.between(said.at(), Instant.now());
            registry.timer("parley_channel_lag", "bot", bot.name()).record(lag.isNegative() ? Duration.ZERO : lag);
        }
    }

    /** Takes an event in. */
    @FunctionalInterface
    public interface Taking {
        void take() throws UnavailableException, InterruptedException;
    }

    /**
     * Takes an event in. One that can never be taken is skipped, logged and counted: it would come again and again.
     *
     * @throws UnavailableException when it has to come again
     * @throws IllegalStateException the database's, when it has to come again
     */
    public void takeOrSkip(String reference, Taking event) throws UnavailableException, InterruptedException {
        try {
            event.take();
        } catch (IllegalStateException e) {
            throw e;
        } catch (UnavailableException e) {
            if (e.why() != UnavailableException.Why.TOO_LARGE) {
                throw e;
            }
            skipped(reference, e);
        } catch (RuntimeException e) {
            skipped(reference, e);
        }
    }

    private void skipped(String reference, Exception why) {
        registry.counter("parley_channel_failed", "bot", bot.name()).increment();
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("update", reference)
                .setCause(why)
                .log("update skipped");
    }

    /** Whether whoever says this may; nobody is told anything. */
    public boolean isOpen(Said said) {
        return admission.isOpen(said);
    }

    /** Whether a message is meant for the bot, by what it says and where. */
    public boolean isForUs(Said said) {
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

    /** Takes a message in, all of it. @param reference the platform's own name for it, the same when it comes again */
    public void take(Said said, String reference, String revision) throws UnavailableException, InterruptedException {
        Optional<Said> admitted = admit(said, reference, isForUs(said));
        if (admitted.isPresent()) {
            takeAdmitted(admitted.get(), reference, revision);
        }
    }

    /**
     * The message as said by whom it is known to be; empty where nothing more is to be done with it: it is not meant for the bot, or links an
     * account, or is said by somebody who may not, and was told.
     *
     * @param forUs whether the bot is meant
     */
    public Optional<Said> admit(Said said, String reference, boolean forUs)
            throws UnavailableException, InterruptedException {
        return linking.take(said, reference, forUs) || !forUs ? Optional.empty() : admission.admit(said, reference);
    }

    /**
     * Takes in what was admitted.
     *
     * @param revision of an edited message, the platform's own name for this edit
     */
    public void takeAdmitted(Said said, String reference, String revision)
            throws UnavailableException, InterruptedException {
        String command = said.command();
        if (said.edited()) {
            if (command == null) {
                turn(said, reference, revision);
            }
            return;
        }
        var by = new Asked(said.address(), said.author(), reference, texts(said.language()));
        if (command == null) {
            if (!isTaskAnswer(said, by)) {
                turn(said, reference, revision);
            }
        } else if (Commands.knows(command)) {
            Optional<Answer> answer = commands.carryOut(command, said.text(), by);
            if (answer.isPresent()) {
                intake.answer(
                        said.address(),
                        reference,
                        answer.get().text(),
                        answer.get().choices());
            }
        } else if (said.privately()) {
            answer(said.address(), reference, by.words().say("unknown-command", command));
        } else if (said.addressed()) {
            turn(said, reference, revision);
        } // else it is another bot's
    }

    /** Whether a private message replies to the question of a task; then it is answered. */
    private boolean isTaskAnswer(Said said, Asked by) throws UnavailableException, InterruptedException {
        if (!said.privately() || said.answered() == null) {
            return false;
        }
        Optional<Answer> answer = commands.answer(said.answered(), said.text(), by);
        if (answer.isPresent()) {
            answer(said.address(), by.reference(), answer.get().text());
        }
        return answer.isPresent();
    }

    // ---- what becomes a turn

    private void turn(Said said, String reference, String revision) throws UnavailableException, InterruptedException {
        List<Block> content = content(said);
        if (content.isEmpty()) {
            return; // a command of which nothing remained
        }
        var incoming = new Incoming(
                said.address(),
                reference,
                bot.kind(),
                said.author(),
                bot.agent(),
                platform.isPart(said) ? MailboxMode.COLLECT : MailboxMode.FOLLOWUP,
                content,
                said.privately() ? null : said.message(),
                !said.privately());
        if (said.edited()) {
            intake.revise(incoming, "edit " + revision);
            return;
        }
        var _ = intake.take(incoming).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Refused no) {
                Thread.ofVirtual().start(() -> refused(said, reference, no));
            }
        });
    }

    private List<Block> content(Said said) throws UnavailableException, InterruptedException {
        var content = new ArrayList<Block>();
        String words = words(said);
        if (!words.isBlank()) {
            content.add(Block.text(words));
        }
        for (Attachment attachment : said.attachments()) {
            content.add(platform.file(attachment));
        }
        return content;
    }

    private void refused(Said said, String reference, Outcome.Refused no) {
        BotTexts words = texts(said.language());
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

    private void answer(ConversationAddress address, String reference, String text)
            throws UnavailableException, InterruptedException {
        intake.answer(address, reference, text, List.of());
    }

    // ---- buttons

    /** Takes a press in. @param reference the platform's own name for it, the same when it comes again */
    public void take(Pressed pressed, String reference) throws UnavailableException, InterruptedException {
        BotTexts words = texts(pressed.language());
        Optional<Choice> choice = buttons.read(pressed.address().chat(), pressed.data());
        var verdict = admission.admit(
                pressed,
                choice.map(one -> Commands.needs(one.action(), one.value())).orElse(Capability.SESSION_READ));
        if (!verdict.allows()) {
            platform.noticed(pressed, BotAdmission.why(words, verdict.answer()));
            return;
        }
        if (choice.isEmpty()) {
            platform.noticed(pressed, words.say("old-button"));
            return;
        }
        Optional<Capability> more = Commands.needs(choice.get());
        if (more.isPresent() && !admission.admit(pressed, more.get()).allows()) {
            platform.noticed(pressed, words.say("approval-forbidden"));
            return;
        }
        platform.noticed(pressed, "");
        var by = new Asked(pressed.address(), verdict.sender(), reference, words);
        Optional<Answer> answer =
                commands.carryOut(choice.get().action(), choice.get().value(), by);
        if (answer.isPresent() && !platform.isReplaced(pressed, answer.get().text())) {
            answer(pressed.address(), reference, answer.get().text());
        }
    }
}
