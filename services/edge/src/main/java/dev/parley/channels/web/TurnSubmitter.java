package dev.parley.channels.web;

import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.ContentReader;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Part;
import dev.parley.channels.contract.TurnRates;
import dev.parley.channels.web.CallerCommands.SubmittedCommand;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.ReplyAddress;
import dev.parley.platform.collection.BoundedMap;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.trace.Tracing;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Submits turns for HTTP, SSE and WebSocket. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class TurnSubmitter {
    private static final int MAX_REFERENCE = 200;
    private static final int MAX_REMEMBERED = 10_000;

    private final CallerCommands commands;
    private final ContentReader content;
    private final Tracing tracing;
    private final TurnRates rates;
    private final Optional<BotDirectory> bots;
    /** Hash of the input of each recent reference: a duplicate must be identical. */
    private final Map<UUID, Integer> hashes = new BoundedMap<>(MAX_REMEMBERED);

    TurnSubmitter(
            CallerCommands commands,
            ContentReader content,
            Tracing tracing,
            TurnRates rates,
            Optional<BotDirectory> bots) {
        this.rates = rates;
        this.bots = bots;
        this.commands = commands;
        this.content = content;
        this.tracing = tracing;
    }

    /** The caller's reference of a turn, or a new one. */
    static String reference(@Nullable String provided) {
        if (provided == null) {
            return UUID.randomUUID().toString();
        }
        if (provided.isBlank() || provided.length() > MAX_REFERENCE) {
            throw ApiException.badRequest("invalid_idempotency_key", "An Idempotency-Key has 1 to 200 characters");
        }
        return provided;
    }

    /** The id of the turn of this reference. */
    static UUID turnId(RecordKey key, String reference) {
        return key.turnId(Origin.API.code(), reference);
    }

    /** The command for a message. */
    SubmitTurn turn(Caller caller, RecordKey key, TurnRequest turnRequest, String reference, @Nullable String trace) {
        MailboxMode mode = ContentReader.mode(turnRequest.mode());
        List<Block> blocks = blocks(caller, key, turnRequest.text(), turnRequest.parts());
        Settings settings =
                turnRequest.settings() == null ? null : turnRequest.settings().settings();
        List<ToolSpec> tools = CallerToolJson.specs(turnRequest.tools());
        return command(
                caller,
                key,
                new Input(mode, turnRequest.agent(), settings, blocks, null, tools, false),
                reference,
                trace);
    }

    private List<Block> blocks(Caller caller, RecordKey key, @Nullable String text, @Nullable List<Part> parts) {
        List<Block> blocks = content.blocks(text, parts);
        if (blocks.stream().anyMatch(Block.File.class::isInstance)) {
            caller.require(Capability.FILE_WRITE, key.project());
        }
        return blocks;
    }

    /**
     * The command whose reply also goes to the chat that the session is of.
     *
     * @throws ApiException 400 {@code no_chat}, 403
     */
    SubmitTurn toChat(Caller caller, RecordKey key, SubmitTurn turn) {
        if (chat(caller, key).isEmpty()) {
            throw ApiException.badRequest(
                    "no_chat", "The session '" + key.session() + "' is of no chat of a bot of this project");
        }
        return turn.toChat(true);
    }

    /** The bot of the session's chat, to which the caller may send; empty if it is of none. */
    private Optional<BotConfig> chat(Caller caller, RecordKey key) {
        int end = key.session().indexOf(':');
        Optional<BotConfig> bot = bots.filter(_ -> end > 0)
                .flatMap(directory -> directory.find(key.session().substring(0, end)))
                .filter(found -> found.project().equals(key.project()))
                .filter(found -> ReplyAddress.ofChat(key, Actor.bot(found.name())) != null);
        bot.ifPresent(_ -> caller.require(Capability.SESSION_READ_ALL, key.project()));
        return bot;
    }

    /** The command for a message of the assistant, which opens the session of a bot's chat in the bot's name. */
    SubmitTurn post(Caller caller, RecordKey key, MessageRequest request, String reference, @Nullable String trace) {
        Optional<BotConfig> bot = chat(caller, key);
        List<Block> blocks = blocks(caller, key, request.text(), request.parts());
        SubmitTurn turn = command(
                        caller,
                        key,
                        new Input(MailboxMode.FOLLOWUP, null, null, blocks, null, List.of(), true),
                        reference,
                        trace)
                .toChat(bot.isPresent());
        return bot.map(owner -> turn.ofBot(key, owner.name(), owner.kind(), owner.agent()))
                .orElse(turn);
    }

    /** The command for another answer. */
    SubmitTurn retry(
            Caller caller, RecordKey key, UUID answer, RetryRequest request, String reference, @Nullable String trace) {
        Settings settings =
                request.settings() == null ? null : request.settings().settings();
        var input = new Input(MailboxMode.FOLLOWUP, request.agent(), settings, List.of(), answer, List.of(), false);
        return command(caller, key, input, reference, trace);
    }

    /**
     * The input of a turn.
     *
     * @param retries the answer that is replaced, or null
     * @param posted whether it is what the assistant says
     */
    private record Input(
            MailboxMode mode,
            @Nullable String agent,
            @Nullable Settings settings,
            List<Block> blocks,
            @Nullable UUID retries,
            List<ToolSpec> tools,
            boolean posted) {}

    private SubmitTurn command(Caller caller, RecordKey key, Input input, String reference, @Nullable String trace) {
        takeRate(caller, key);
        UUID id = turnId(key, reference);
        requireSame(Ids.of(id, caller.user()), input);
        var attributes = Map.of("session.key", key.toString(), "turn.id", id.toString());
        CommandMeta meta = commands.meta(caller, key, id, tracing.border("submit turn", trace, attributes));
        return new SubmitTurn(
                meta,
                Origin.API,
                reference,
                input.mode(),
                input.agent(),
                input.settings(),
                input.blocks(),
                "api",
                null,
                null,
                null,
                false,
                input.retries(),
                input.tools(),
                List.of(),
                input.posted(),
                false);
    }

    private void takeRate(Caller caller, RecordKey key) {
        rates.take(caller.host(), key.projectId(), caller.person().user()).ifPresent(busy -> {
            throw new ApiException(HttpStatus.TOO_MANY_REQUESTS, TurnRates.Busy.CODE, busy.message())
                    .retryAfter(busy.pause());
        });
    }

    private void requireSame(UUID key, Input input) {
        int hash = input.hashCode();
        synchronized (hashes) {
            Integer before = hashes.putIfAbsent(key, hash);
            if (before != null && before != hash) {
                throw new ApiException(
                        HttpStatus.CONFLICT,
                        "idempotency_mismatch",
                        "This Idempotency-Key was already used for a different message");
            }
        }
    }

    /** Submits a turn, and waits until it is decided. The caller closes the result. */
    Submitted submit(RecordKey key, SubmitTurn turn) {
        SubmittedCommand submitted = commands.submit(key, turn);
        return new Submitted(key, turn, submitted.ticket(), submitted.outcome());
    }

    /** A submitted turn. */
    record Submitted(RecordKey key, SubmitTurn turn, Ticket ticket, Optional<Outcome> outcome)
            implements AutoCloseable {
        /** The id of the turn that answers the message, which may be an earlier one. */
        UUID turnId() {
            return outcome.orElse(null) instanceof Outcome.Accepted accepted && accepted.turnId() != null
                    ? accepted.turnId()
                    : turn.meta().commandId();
        }

        /** The turn when it has ended by then; otherwise empty. */
        Optional<TurnJson> awaitEnd(Duration timeout) throws InterruptedException {
            return Intake.within(timeout, ticket.finished()).map(TurnJson::of);
        }

        /** The turn as far as it is known. */
        TurnJson json() {
            if (ticket.finished().isDone()) {
                return TurnJson.of(ticket.finished().join());
            }
            String text = Message.text(turn.content());
            return outcome.orElse(null) instanceof Outcome.Accepted accepted
                    ? TurnJson.open(
                            turnId(),
                            key.session(),
                            accepted.turnSeq(),
                            state(accepted),
                            text,
                            turn.meta().at())
                    : TurnJson.open(
                            turnId(),
                            key.session(),
                            null,
                            TurnState.QUEUED,
                            text,
                            turn.meta().at());
        }

        /** The number of turns queued before it. */
        int position() {
            return outcome.orElse(null) instanceof Outcome.Accepted accepted ? accepted.position() : 0;
        }

        private static TurnState state(Outcome.Accepted accepted) {
            boolean runs =
                    accepted.disposition() == Disposition.STARTED || accepted.disposition() == Disposition.STEERED;
            return runs ? TurnState.RUNNING_MODEL : TurnState.QUEUED;
        }

        @Override
        public void close() {
            ticket.close();
        }
    }
}
