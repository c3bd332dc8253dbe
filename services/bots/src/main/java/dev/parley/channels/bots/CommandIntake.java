package dev.parley.channels.bots;

import dev.parley.channels.bots.delivery.OpenTurns;
import dev.parley.channels.bots.people.Chats;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.IncomingMessage;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.TurnRates;
import dev.parley.channels.contract.TurnRates.Busy;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Overheard;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.Overhear;
import dev.parley.domain.protocol.TurnCommand.ReviseTurn;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.Caller;
import dev.parley.platform.trace.Tracing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns inbound messages into commands, and submits them to Kafka. */
record CommandIntake(
        DurableCommands commands,
        UUID host,
        BotRegistry bots,
        Chats chats,
        ReplySender replies,
        OpenTurns openTurns,
        TurnRates rates,
        Tracing tracing,
        AccessDirectory directory)
        implements Intake {
    @Override
    public CompletableFuture<Outcome> submit(IncomingMessage message)
            throws UnavailableException, InterruptedException {
        ConversationAddress address = message.address();
        if (!chats.isWritable(address)) {
            chats.setWritable(address, true); // a message proves that the chat is open
        }
        RecordKey key = session(address);
        UUID turn = key.turnId(Origin.CHANNEL.code(), message.reference());
        Optional<Busy> busy = rates.take(host, key.projectId(), message.sender().account());
        if (busy.isPresent()) {
            return CompletableFuture.completedFuture(
                    new Outcome.Refused(key, turn, Busy.CODE, busy.get().message()));
        }
        SubmitTurn command = command(message, key, turn);
        openTurns.add(address.bot(), turn, Instant.now());
        return submit(key, command, address.bot());
    }

    private SubmitTurn command(IncomingMessage message, RecordKey key, UUID turn) {
        ConversationAddress address = message.address();
        String trace = tracing.border(
                "submit turn",
                null,
                Map.of("session.key", key.toString(), "turn.id", turn.toString(), "bot", address.bot()));
        return new SubmitTurn(
                meta(key, turn, message.address().bot(), message.channel(), message.sender(), trace),
                Origin.CHANNEL,
                message.reference(),
                message.mode(),
                message.agent(),
                null,
                message.content(),
                message.channel(),
                address.channelId(),
                new ReplyAddress(address.bot(), address.chat(), address.topic(), message.messageRef()),
                null,
                message.shared(),
                null,
                List.of(),
                message.earlier(),
                false,
                false);
    }

    /** Submits the command; its turn is open until it has an outcome that no reply follows. */
    private CompletableFuture<Outcome> submit(RecordKey key, SubmitTurn command, String bot)
            throws UnavailableException, InterruptedException {
        UUID turn = command.meta().commandId();
        Ticket ticket;
        try {
            ticket = commands.submit(key, command);
        } catch (UnavailableException e) {
            openTurns.remove(bot, turn); // the channel delivers it again
            throw e;
        }
        // A ticket without an outcome expires.
        return ticket.outcome().whenComplete((outcome, _) -> {
            ticket.close();
            boolean joined = outcome instanceof Outcome.Accepted accepted && !turn.equals(accepted.turnId());
            if (joined || outcome instanceof Outcome.Refused || outcome instanceof Outcome.Finished) {
                openTurns.remove(bot, turn);
            }
        });
    }

    @Override
    public void revise(IncomingMessage message, String revision) throws UnavailableException, InterruptedException {
        RecordKey key = session(message.address());
        UUID turn = key.turnId(Origin.CHANNEL.code(), message.reference());
        UUID id = Ids.of("command", key, message.channel(), revision);
        commands.submit(
                        key,
                        new ReviseTurn(
                                meta(key, id, message.address().bot(), message.channel(), message.sender(), null),
                                turn,
                                message.content()))
                .close();
    }

    @Override
    public CompletableFuture<Outcome> overhear(
            ConversationAddress address, String channel, Sender sender, Overheard overheard, String revision)
            throws UnavailableException, InterruptedException {
        RecordKey key = session(address);
        UUID id = Ids.of("overhear", key, channel, overheard.reference(), revision);
        CommandMeta meta = meta(key, id, address.bot(), channel, sender, null).toExisting();
        Ticket ticket = commands.submit(key, new Overhear(meta, overheard));
        return ticket.outcome().whenComplete((_, _) -> ticket.close());
    }

    @Override
    public Optional<Outcome> execute(
            ConversationAddress address,
            String channel,
            String reference,
            Sender sender,
            Function<CommandMeta, TurnCommand> command)
            throws UnavailableException, InterruptedException {
        RecordKey key = session(address);
        UUID id = Ids.of("command", key, channel, reference);
        return commands.execute(key, command.apply(meta(key, id, address.bot(), channel, sender, null)));
    }

    @Override
    public void reply(ConversationAddress address, String reference, String text, List<Choice> choices)
            throws UnavailableException, InterruptedException {
        UUID id = Ids.of("answer", address.bot(), address.chat(), reference);
        var to = new ReplyAddress(address.bot(), address.chat(), address.topic(), null);
        RecordKey key = session(address);
        try {
            replies.send(new Reply(id, host, key, id, to, Reply.Kind.MESSAGE, text, Instant.now(), List.of(), choices));
        } catch (ExecutionException | TimeoutException e) {
            throw new UnavailableException(
                    UnavailableException.Reason.AWAY, "Kafka does not accept replies now: " + e, e);
        }
    }

    /** @throws UnavailableException where the bot was just removed */
    private RecordKey session(ConversationAddress address) throws UnavailableException {
        String project = bots.find(address.bot())
                .map(BotConfig::project)
                .orElseThrow(() -> new UnavailableException("The bot '" + address.bot() + "' was removed."));
        return chats.session(address).key(project);
    }

    private CommandMeta meta(
            RecordKey session, UUID id, String bot, String channel, Sender sender, @Nullable String trace) {
        UUID account = sender.account();
        CommandMeta meta = commands.meta(id, host, Actor.bot(bot), Intake.user(channel, sender), trace);
        boolean leads = Optional.ofNullable(account)
                .flatMap(linked -> Caller.inNameOf(host, linked, directory))
                .filter(caller -> caller.leads(session.project()))
                .isPresent();
        return leads ? meta.leading() : meta;
    }
}
