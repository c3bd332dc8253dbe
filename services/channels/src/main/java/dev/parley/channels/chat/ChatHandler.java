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
 * Handles the events of chats: admission, commands, answers to human tasks, and messages that become turns. An event
 * that ends with an {@link UnavailableException} has to be delivered again.
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

    /** The platform operations that it needs. */
    public interface Platform {
        /**
         * A file as a block, or a text about it where it is not available.
         *
         * @throws UnavailableException when a retry may help
         */
        Block file(Attachment attachment) throws UnavailableException, InterruptedException;

        /** Whether a message is one part of several that are sent together. Called once per message. */
        default boolean isPart(Said said) {
            return false;
        }

        /**
         * Acknowledges a press.
         *
         * @param notice shown only to the user; may be empty
         */
        void noticed(Pressed pressed, String notice) throws InterruptedException;

        /**
         * Replaces the message with the button, and its buttons, with a text.
         *
         * @return whether it was replaced
         */
        boolean isReplaced(Pressed pressed, String text) throws InterruptedException;

        /** Prefix of commands in texts. */
        default String slash() {
            return "/";
        }
    }

    public ChatHandler(BotConfig bot, ChatServices services, Intake intake, Platform platform) {
        this.bot = bot;
        this.intake = intake;
        this.platform = platform;
        this.buttons = services.buttons(bot);
        this.registry = services.registry();
        this.admission = new BotAdmission(bot, services, intake, this::texts);
        this.linking = new Linking(bot, intake, services.memory(), services.links(), this::texts);
        this.commands =
                new Commands(bot, intake, services.catalogue(), services.tasks().get());
    }

    private BotTexts texts(@Nullable String language) {
        return BotTexts.in(language, platform.slash());
    }

    /** Why nothing can be received now. */
    public Optional<String> problem() {
        return admission.problem();
    }

    /** @throws UnavailableException when nothing can be received now */
    public void requireReady() throws UnavailableException {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            throw new UnavailableException(problem.get());
        }
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

    /** Handling of one event. */
    @FunctionalInterface
    public interface Taking {
        void take() throws UnavailableException, InterruptedException;
    }

    /**
     * Handles an event. One that can never be handled is skipped, logged and counted, because it would be redelivered
     * forever.
     *
     * @throws UnavailableException when it has to be delivered again
     * @throws IllegalStateException of the database, when it has to be delivered again
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

    /** Whether its sender is admitted; nobody is told. */
    public boolean isOpen(Said said) {
        return admission.isOpen(said);
    }

    /** Whether a message is addressed to the bot, by its text and chat. */
    public boolean isForUs(Said said) {
        if (said.bot()) {
            return false; // two bots would talk forever
        }
        return said.privately()
                || switch (bot.groups()) {
                    case OFF -> false;
                    case MENTION -> said.addressed() || said.command() != null;
                    case ALL -> true;
                };
    }

    /**
     * Handles a whole message.
     *
     * @param reference the platform's id of it, the same when it is redelivered
     */
    public void take(Said said, String reference, String revision) throws UnavailableException, InterruptedException {
        Optional<Said> admitted = admit(said, reference, isForUs(said));
        if (admitted.isPresent()) {
            takeAdmitted(admitted.get(), reference, revision);
        }
    }

    /**
     * The message with its linked sender; empty where it is done: not addressed to the bot, a link command, or of a
     * user who is not admitted and was told.
     *
     * @param forUs whether it is addressed to the bot
     */
    public Optional<Said> admit(Said said, String reference, boolean forUs)
            throws UnavailableException, InterruptedException {
        return linking.take(said, reference, forUs) || !forUs ? Optional.empty() : admission.admit(said, reference);
    }

    /**
     * Handles an admitted message.
     *
     * @param revision of an edited message, the platform's id of the edit
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

    // ---- turns

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
            return ""; // one part of an album has the text and the sender
        }
        String text = said.privately() ? said.text() : said.author().name() + ": " + said.text();
        return said.context() == null ? text : said.context() + "\n" + text;
    }

    private void answer(ConversationAddress address, String reference, String text)
            throws UnavailableException, InterruptedException {
        intake.answer(address, reference, text, List.of());
    }

    // ---- buttons

    /**
     * Handles a press.
     *
     * @param reference the platform's id of it, the same when it is redelivered
     */
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
