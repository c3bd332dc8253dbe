package dev.parley.channels.plugin;

import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Sender;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.TurnCommand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** An intake that records what a channel hands over, for tests of channels without Kafka. It can be unavailable. */
public final class RecordingIntake implements Intake {
    private final boolean once;

    public RecordingIntake() {
        this(false);
    }

    /** @param once whether a message that is handed over again is ignored, as Parley does */
    public RecordingIntake(boolean once) {
        this.once = once;
    }

    /** Messages, as often as they were handed over, unless once. */
    public final List<IncomingMessage> messages = new CopyOnWriteArrayList<>();

    public final List<IncomingMessage> revised = new CopyOnWriteArrayList<>();
    public final List<Overheard> overheard = new CopyOnWriteArrayList<>();
    public final List<TurnCommand> commands = new CopyOnWriteArrayList<>();
    /** The references of the commands. */
    public final List<String> references = new CopyOnWriteArrayList<>();
    /** Answers of the bot itself, after their conversation. */
    public final List<String> answers = new CopyOnWriteArrayList<>();
    /** How often a message came while the intake was unavailable. */
    public final AtomicInteger refusals = new AtomicInteger();

    public volatile boolean unavailable;

    /** The first text of each message. */
    public List<String> texts() {
        return messages.stream().map(RecordingIntake::text).toList();
    }

    /** The first text of a message. */
    public static String text(IncomingMessage message) {
        return message.content().getFirst() instanceof Block.Text text ? text.text() : "";
    }

    @Override
    public CompletableFuture<Outcome> submit(IncomingMessage message) throws UnavailableException {
        if (unavailable) {
            refusals.incrementAndGet();
            throw new UnavailableException("away");
        }
        boolean isKnown = messages.stream().anyMatch(other -> other.reference().equals(message.reference()));
        if (!once || !isKnown) {
            messages.add(message);
        }
        return new CompletableFuture<>();
    }

    @Override
    public void revise(IncomingMessage message, String revision) {
        revised.add(message);
    }

    @Override
    public CompletableFuture<Outcome> overhear(
            ConversationAddress address, String channel, Sender sender, Overheard message, String revision) {
        overheard.add(message);
        return new CompletableFuture<>();
    }

    @Override
    public Optional<Outcome> execute(
            ConversationAddress address,
            String channel,
            String reference,
            Sender sender,
            Function<CommandMeta, TurnCommand> command) {
        references.add(reference);
        commands.add(command.apply(
                new CommandMeta(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH, sender.id(), null, null)));
        return Optional.empty();
    }

    @Override
    public void reply(ConversationAddress address, String reference, String text, List<Choice> choices) {
        answers.add(address.channelId() + " " + text);
    }
}
