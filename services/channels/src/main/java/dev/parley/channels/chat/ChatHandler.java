package dev.parley.channels.chat;

import dev.parley.channels.chat.ChatCommands.CommandReply;
import dev.parley.channels.chat.ChatCommands.Context;
import dev.parley.channels.chat.Event.Attachment;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.chat.Event.ChatMessage;
import dev.parley.channels.chat.Event.Feedback;
import dev.parley.channels.chat.Event.FormAnswer;
import dev.parley.channels.chat.Event.Stop;
import dev.parley.channels.contract.BotCommands;
import dev.parley.channels.contract.ChannelBot.Command;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Rights.Verdict;
import dev.parley.channels.contract.SentAnswers;
import dev.parley.channels.contract.SentAnswers.SentAnswer;
import dev.parley.channels.contract.TurnRates;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.TurnCommand.GiveFeedback;
import dev.parley.platform.config.bot.BotConfig;
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
 * that ends with an {@link UnavailableException} must be redelivered.
 */
public final class ChatHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ChatHandler.class);

    private final BotConfig bot;
    private final Intake intake;
    private final ChatSide side;
    private final Downloads downloads;
    private final BotAdmission admission;
    private final LinkCommands links;
    private final ChatCommands commands;
    private final Buttons buttons;
    private final SentAnswers answers;
    private final MeterRegistry registry;
    private final QuietListening listening;

    public ChatHandler(BotConfig bot, ChatServices services, Intake intake, ChatSide side) {
        this.bot = bot;
        this.intake = intake;
        this.side = side;
        this.downloads = new Downloads(side::bytes, services.blobs());
        this.buttons = services.buttons(bot);
        this.answers = services.answers();
        this.registry = services.registry();
        this.listening = new QuietListening(bot, intake, side, this::texts, registry);
        this.admission = new BotAdmission(bot, services, intake, side, this::texts);
        this.links = new LinkCommands(bot, intake, services.chatState(), services.links(), this::texts);
        this.commands = new ChatCommands(
                bot, intake, services.catalogue(), services.tasks().get());
    }

    private BotTexts texts(@Nullable String language) {
        return BotTexts.in(language, side.slash());
    }

    /** @throws UnavailableException when nothing can be received now */
    public void requireReady() throws UnavailableException {
        Optional<String> problem = admission.problem();
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

    /** Counts an inbound event, and records the transit time of a new message. */
    public void count(Event event, String kind) {
        registry.counter("parley_channel_updates", "bot", bot.name(), "kind", kind)
                .increment();
        if (event instanceof ChatMessage message && !message.edited() && message.sentAt() != null) {
            Duration lag = Duration.between(message.sentAt(), Instant.now());
            registry.timer("parley_channel_lag", "bot", bot.name()).record(lag.isNegative() ? Duration.ZERO : lag);
        }
    }

    /** Handling of one event. */
    @FunctionalInterface
    public interface Handling {
        void handle() throws UnavailableException, InterruptedException;
    }

    /**
     * Handles an event. One that can never be handled is skipped, logged and counted, because it would be redelivered
     * forever.
     *
     * @throws UnavailableException when it must be redelivered
     * @throws IllegalStateException of the database, when it must be redelivered
     */
    public void handleOrSkip(String reference, Handling event) throws UnavailableException, InterruptedException {
        try {
            event.handle();
        } catch (IllegalStateException e) {
            throw e;
        } catch (UnavailableException e) {
            if (e.reason() != UnavailableException.Reason.TOO_LARGE) {
                throw e;
            }
            skip(reference, e);
        } catch (RuntimeException e) {
            skip(reference, e);
        }
    }

    /** Logs and counts an event that can never be handled. */
    public void skip(String reference, Exception cause) {
        registry.counter("parley_channel_failed", "bot", bot.name()).increment();
        LOG.atError()
                .addKeyValue("bot", bot.name())
                .addKeyValue("update", reference)
                .setCause(cause)
                .log("update skipped");
    }

    /** Handles events while the files of these messages, of senders who may send them, are fetched ahead. */
    public void prefetched(List<ChatMessage> messages, Handling events)
            throws UnavailableException, InterruptedException {
        List<Attachment> files = messages.stream()
                .filter(message -> isAddressed(message) && admission.isAdmitted(message))
                .flatMap(message -> message.attachments().stream())
                .toList();
        try {
            downloads.prefetch(files);
            events.handle();
        } finally {
            downloads.forget(files);
        }
    }

    /** Whether a message is addressed to the bot, by its text and chat. */
    public boolean isAddressed(ChatMessage message) {
        if (message.bot()) {
            return false; // two bots would answer each other forever
        }
        return message.privately()
                || switch (bot.groups()) {
                    case OFF -> false;
                    case MENTION -> message.addressed() || message.command() != null;
                    case ALL -> true;
                };
    }

    /**
     * Handles a message: one that is not addressed to the bot is heard at most, and a user who is not admitted is
     * notified.
     *
     * @param reference the platform's id of it, unchanged when it is redelivered
     * @param revision of an edited message, the platform's id of the edit
     */
    public void handle(ChatMessage message, String reference, String revision)
            throws UnavailableException, InterruptedException {
        boolean addressed = isAddressed(message);
        if (links.handle(message, reference, addressed)) {
            return;
        }
        if (!addressed) {
            listening.hear(message, reference, revision);
            return;
        }
        Optional<ChatMessage> admitted = admission.admit(message, reference);
        if (admitted.isPresent()) {
            handleAdmitted(admitted.get(), reference, revision);
        }
    }

    /** Handles the deletion of a message. */
    public void handle(Event.Deleted deleted, String reference) throws UnavailableException, InterruptedException {
        listening.forget(deleted, reference);
    }

    private void handleAdmitted(ChatMessage message, String reference, String revision)
            throws UnavailableException, InterruptedException {
        boolean isDone = message.edited() ? message.command() != null : handleWithoutTurn(message, reference);
        if (!isDone) {
            submit(message, reference, revision);
        }
    }

    /**
     * Handles a command, the answer to a human task, or a message to another bot.
     *
     * @return false for a turn's message
     */
    private boolean handleWithoutTurn(ChatMessage message, String reference)
            throws UnavailableException, InterruptedException {
        var context = new Context(message.address(), message.author(), reference, texts(message.language()));
        String command = message.command();
        if (command == null) {
            return answerTask(message, context);
        }
        if (ChatCommands.knows(command)) {
            execute(command, message, context);
            return true;
        }
        if (message.privately()) {
            reply(message.address(), reference, context.texts().format("unknown-command", command));
            return true;
        }
        return !message.addressed(); // another bot's
    }

    private void execute(String command, ChatMessage message, Context context)
            throws UnavailableException, InterruptedException {
        Optional<CommandReply> reply = commands.execute(command, message.text(), context);
        boolean mayBeAlone = !message.privately() && ChatCommands.isAlone(command);
        if (reply.isPresent() && !(mayBeAlone && side.answerAlone(message, reply.get()::text))) {
            intake.reply(
                    context.address(),
                    context.reference(),
                    reply.get().text(),
                    reply.get().choices());
        }
    }

    /** Answers the task to whose question a private message replies; returns false if it does not reply to one. */
    private boolean answerTask(ChatMessage message, Context context) throws UnavailableException, InterruptedException {
        if (!message.privately() || message.repliesTo() == null) {
            return false;
        }
        Optional<CommandReply> reply = commands.answerTask(message.repliesTo(), message.text(), context);
        if (reply.isPresent()) {
            reply(message.address(), context.reference(), reply.get().text());
        }
        return reply.isPresent();
    }

    private void submit(ChatMessage message, String reference, String revision)
            throws UnavailableException, InterruptedException {
        List<Block> content = content(message);
        if (content.isEmpty()) {
            return; // nothing but a command or a mention of the bot
        }
        List<Overheard> earlier = message.edited() ? List.of() : listening.before(message);
        IncomingMessage incoming = incoming(message, reference, content, earlier);
        if (message.edited()) {
            intake.revise(incoming, "edit " + revision);
            return;
        }
        var _ = intake.submit(incoming).thenAccept(outcome -> {
            if (outcome instanceof Outcome.Refused refused) {
                Thread.ofVirtual().start(() -> replyRefusal(message, reference, refused));
            }
        });
    }

    private IncomingMessage incoming(
            ChatMessage message, String reference, List<Block> content, List<Overheard> earlier) {
        return new IncomingMessage(
                message.address(),
                reference,
                bot.kind(),
                message.author(),
                bot.agent(),
                side.isPartial(message) ? MailboxMode.COLLECT : MailboxMode.FOLLOWUP,
                content,
                message.privately() ? null : message.id(),
                !message.privately(),
                earlier);
    }

    private List<Block> content(ChatMessage message) throws UnavailableException, InterruptedException {
        var content = new ArrayList<Block>();
        String text = text(message);
        if (!text.isBlank()) {
            content.add(Block.text(text));
        }
        for (Attachment attachment : message.attachments()) {
            content.add(downloads.file(attachment));
        }
        return content;
    }

    private void replyRefusal(ChatMessage message, String reference, Outcome.Refused refused) {
        BotTexts words = texts(message.language());
        String text = switch (refused.code()) {
            case "session_archived" -> words.format("archived");
            case "queue_full" -> words.format("full");
            case TurnRates.Busy.CODE -> words.format("busy");
            default -> words.format("no-work", refused.message());
        };
        try {
            reply(message.address(), reference, text);
        } catch (UnavailableException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("refusal could not be sent");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String text(ChatMessage message) {
        if (message.album() != null && message.text().isBlank()) {
            return ""; // one part of an album has the text and the sender
        }
        String text = message.privately() ? message.text() : message.author().name() + ": " + message.text();
        return message.context() == null ? text : message.context() + "\n" + text;
    }

    private void reply(ConversationAddress address, String reference, String text)
            throws UnavailableException, InterruptedException {
        intake.reply(address, reference, text, List.of());
    }

    /**
     * Handles an opinion about an answer, with the rights of reading it.
     *
     * @param reference the platform's id of it, unchanged when it is redelivered
     */
    public void handle(Feedback feedback, String reference) throws UnavailableException, InterruptedException {
        Optional<SentAnswer> answer =
                answers.find(bot.name(), feedback.address().chat(), feedback.message());
        if (answer.isEmpty()) {
            return; // of another bot or a person, or old
        }
        Verdict verdict = admission.admit(feedback.author(), Capability.SESSION_READ);
        if (verdict.allows()) {
            // a refusal is not told: the message may answer a command, or its session is gone
            var _ = intake.execute(
                    answer.get().address(),
                    bot.kind(),
                    reference,
                    verdict.sender(),
                    meta -> new GiveFeedback(
                            meta, answer.get().turn(), feedback.opinion(), feedback.emoji(), feedback.reason()));
        }
    }

    /**
     * Stops the turn that a message or preview shows, and no other: a refusal is not told, because the turn has ended.
     *
     * @param reference the platform's id of it, unchanged when it is redelivered
     */
    public void handle(Stop stop, String reference) throws UnavailableException, InterruptedException {
        Optional<SentAnswer> answer = answers.find(bot.name(), stop.address().chat(), stop.message());
        Verdict verdict = admission.admit(stop.author(), BotCommands.needs(Command.STOP));
        if (answer.isPresent() && verdict.allows()) {
            var _ = intake.execute(
                    answer.get().address(),
                    bot.kind(),
                    reference,
                    verdict.sender(),
                    BotCommands.stop(answer.get().turn(), verdict.sender()));
        }
    }

    /**
     * Handles a press.
     *
     * @param reference the platform's id of it, unchanged when it is redelivered
     */
    public void handle(ButtonPress press, String reference) throws UnavailableException, InterruptedException {
        BotTexts words = texts(press.language());
        Optional<Choice> choice = buttons.read(press.address().chat(), press.data());
        Capability required = choice.map(value -> ChatCommands.needs(value.action(), value.value()))
                .orElse(Capability.SESSION_READ);
        Verdict verdict = admission.admit(press.author(), required);
        Optional<String> refusal = refusal(press, choice, verdict, words);
        if (refusal.isPresent() || choice.isEmpty()) {
            side.acknowledge(press, refusal.orElse(""));
            return;
        }
        var context = new Context(press.address(), verdict.sender(), reference, words);
        if (choice.get().action().equals(Choice.FORM)) {
            showForm(press, choice.get(), context);
        } else if (choice.get().action().equals(Choice.APPROVAL)) {
            decide(press, choice.get(), context);
        } else {
            side.acknowledge(press, "");
            show(
                    press,
                    context,
                    commands.execute(choice.get().action(), choice.get().value(), context));
        }
    }

    /** A form that cannot be shown, or has been answered, is told so to the person alone. */
    private void showForm(ButtonPress press, Choice choice, Context context) throws InterruptedException {
        Optional<ChatForm> form = commands.form(choice.value(), context);
        if (form.isEmpty()) {
            side.acknowledge(press, context.texts().format("task-over"));
        } else if (!side.showForm(
                press, form.get(), buttons.data(press.address().chat(), choice))) {
            side.acknowledge(press, context.texts().format("form-in-words"));
        }
    }

    /**
     * Handles the answer to a form. The data is signed, so the form was shown in this chat.
     *
     * @param reference the platform's id of it, unchanged when it is redelivered
     */
    public void handle(FormAnswer answer, String reference) throws UnavailableException, InterruptedException {
        BotTexts words = texts(answer.language());
        Optional<String> task = buttons.read(answer.address().chat(), answer.data())
                .filter(choice -> choice.action().equals(Choice.FORM))
                .map(Choice::value);
        if (task.isEmpty()) {
            return; // forged
        }
        Verdict verdict = admission.admit(answer.author(), Capability.SESSION_SEND);
        if (verdict.allows()) {
            var context = new Context(answer.address(), verdict.sender(), reference, words);
            reply(answer.address(), reference, commands.answerForm(task.get(), answer.values(), context));
            return;
        }
        String refusal = BotAdmission.refusalText(words, verdict.decision());
        if (!side.answerAlone(answer, () -> refusal)) {
            reply(answer.address(), reference, refusal);
        }
    }

    /** The session decides who may answer; another person learns it alone, and the question stays. */
    private void decide(ButtonPress press, Choice choice, Context context)
            throws UnavailableException, InterruptedException {
        Optional<CommandReply> reply = commands.execute(choice.action(), choice.value(), context);
        Optional<CommandReply> notice = reply.filter(CommandReply::privately);
        side.acknowledge(press, notice.map(CommandReply::text).orElse(""));
        if (notice.isEmpty()) {
            show(press, context, reply);
        }
    }

    /** The reason why a press has no effect; empty where it has one. */
    private Optional<String> refusal(ButtonPress press, Optional<Choice> choice, Verdict verdict, BotTexts words) {
        if (!verdict.allows()) {
            return Optional.of(BotAdmission.refusalText(words, verdict.decision()));
        }
        if (choice.isEmpty()) {
            return Optional.of(words.format("old-button"));
        }
        return ChatCommands.needs(choice.get())
                .filter(capability ->
                        !admission.admit(press.author(), capability).allows())
                .map(_ -> words.format("approval-forbidden"));
    }

    private void show(ButtonPress press, Context context, Optional<CommandReply> reply)
            throws UnavailableException, InterruptedException {
        if (reply.isPresent() && !side.replaceMessage(press, reply.get().text())) {
            reply(press.address(), context.reference(), reply.get().text());
        }
    }
}
