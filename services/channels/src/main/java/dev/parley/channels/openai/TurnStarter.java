package dev.parley.channels.openai;

import dev.parley.channels.openai.InputMessage.Answer;
import dev.parley.channels.openai.InputMessage.Instruction;
import dev.parley.channels.openai.InputMessage.Question;
import dev.parley.channels.openai.InputMessage.Reference;
import dev.parley.channels.openai.InputMessage.Result;
import dev.parley.channels.protocols.Agents;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.SayRequest;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.SettingsJson;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts the turn of a request in its session: the named one, that of the response to continue, or a new one, which
 * begins with the client's conversation.
 */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class TurnStarter {
    private final TurnService turns;
    private final Agents agents;
    private final Retries retries;

    TurnStarter(TurnService turns, Agents agents, Retries retries) {
        this.turns = turns;
        this.agents = agents;
        this.retries = retries;
    }

    /**
     * A request to an agent.
     *
     * @param session the named session, or null
     */
    record Work(
            String agent,
            Transcript transcript,
            SettingsJson settings,
            List<CallerToolJson> tools,
            @Nullable String session,
            @Nullable ResponseId previous) {

        /**
         * The first model call whose text answers this request: earlier ones made the calls whose results it submits.
         */
        int from() {
            return transcript.said().isEmpty()
                    ? transcript.results().stream()
                            .flatMap(result -> ClientCallId.parse(result.callId()).stream())
                            .mapToInt(name -> name.step() + 1)
                            .max()
                            .orElse(0)
                    : 0;
        }
    }

    /** A request with its reference. */
    private record Order(RequestContext context, Work work, String reference) {
        RecordKey own() {
            return key(TurnService.made(context.caller(), "openai", reference));
        }

        RecordKey key(String session) {
            return context.caller().session(context.project().projectKey(), session);
        }
    }

    /**
     * Starts the turn. The caller closes the result.
     *
     * @throws ApiException, ProtocolException when it is refused
     */
    FollowedTurn begin(RequestContext context, Work work) {
        if (agents.find(context.caller(), context.project(), work.agent()).isEmpty()) {
            throw ModelController.unknown(work.agent());
        }
        boolean isNamed = context.idempotencyKey() != null;
        String reference = isNamed
                ? TurnService.reference(context.idempotencyKey())
                : retries.reference(context.content(), context.isRetry());
        try {
            return begin(new Order(context, work, reference));
        } catch (ApiException e) {
            if (!isNamed && e.status().getCode() < HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
                retries.forget(context.content());
            }
            throw e;
        }
    }

    private FollowedTurn begin(Order order) {
        Work work = order.work();
        if (work.transcript().said().isEmpty()) {
            return continueTurn(order);
        }
        if (work.previous() != null) {
            return after(order, work.previous());
        }
        if (work.session() != null) {
            RecordKey key = order.key(work.session());
            submitResultsBefore(order, key);
            return turns.begin(
                    key, turn(order, key, "followup", work.transcript().news()));
        }
        return alone(order);
    }

    private SubmitTurn turn(Order order, RecordKey key, String mode, String instructions) {
        Work work = order.work();
        var say = new SayRequest(
                null, work.transcript().message(instructions), mode, work.agent(), work.settings(), work.tools());
        RequestContext context = order.context();
        return turns.turn(context.caller(), key, say, order.reference(), context.trace());
    }

    /** Continues the turn that waits for results of the client. */
    private FollowedTurn continueTurn(Order order) {
        List<Result> results = order.work().transcript().results();
        ClientCallId first = name(order, results.getFirst());
        RecordKey key = order.key(first.session());
        boolean isTaken = false;
        for (Result result : results) {
            ClientCallId name = name(order, result);
            if (!name.isWith(first)) {
                throw ProtocolException.invalid(null, "The results belong to calls of several answers.");
            }
            isTaken |= submitResult(order, key, name, result);
        }
        if (!isTaken) {
            throw ProtocolException.bad(
                    "unknown_call",
                    null,
                    "No call '%s' waits for a result: it has another one, took longer than an hour, or its turn has ended."
                            .formatted(results.getFirst().callId()));
        }
        return turns.follow(order.context().caller(), key, first.turn());
    }

    private static ClientCallId name(Order order, Result result) {
        ClientCallId name = ClientCallId.parse(result.callId()).orElseThrow(); // as the transcript was read
        ResponseId previous = order.work().previous();
        String session = previous == null ? order.work().session() : previous.session();
        boolean isThere = (session == null || session.equals(name.session()))
                && (previous == null || previous.turn().equals(name.turn()));
        if (!isThere) {
            throw ProtocolException.invalid(
                    null, "The call '%s' was made in another conversation.".formatted(result.callId()));
        }
        return name;
    }

    /** Submits results of pending calls before the new message. */
    private void submitResultsBefore(Order order, RecordKey key) {
        for (Result result : order.work().transcript().results()) {
            ClientCallId.parse(result.callId())
                    .filter(name -> order.key(name.session()).equals(key))
                    .ifPresent(name -> submitResult(order, key, name, result));
        }
    }

    /** @return whether it was accepted, now or earlier */
    private boolean submitResult(Order order, RecordKey key, ClientCallId call, Result result) {
        try {
            turns.answer(order.context().caller(), key, call.call(), result.text(), false);
            return true;
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                return false;
            }
            throw e;
        }
    }

    /** Starts a new session. */
    private FollowedTurn alone(Order order) {
        RequestContext context = order.context();
        context.caller().require(Capability.SESSION_CREATE, context.project().projectKey());
        RecordKey key = order.own();
        Transcript transcript = order.work().transcript();
        SubmitTurn turn = turn(order, key, "followup", transcript.instructions());
        String agent = order.work().agent();
        if (!transcript.history().isEmpty()) {
            turns.seed(
                    context.caller(), key, order.reference(), agent, transcript.title(), messages(transcript.history()));
        } else if (!transcript.instructions().isEmpty()) { // else its first words are its title anyway
            turns.open(context.caller(), key, order.reference(), agent, transcript.title());
        }
        return turns.begin(key, turn);
    }

    private List<Message> messages(List<InputMessage> history) {
        var messages = new ArrayList<Message>();
        for (InputMessage line : history) {
            message(line).ifPresent(messages::add);
        }
        return messages;
    }

    private Optional<Message> message(InputMessage line) {
        return switch (line) {
            case Question question when question.isEmpty() -> Optional.empty();
            case Question question ->
                Optional.of(new Message(Role.USER, turns.blocks(question.parts()), false, null, null));
            case Answer answer -> answered(answer);
            case Result result ->
                Optional.of(Message.toolResult(ClientCallId.shown(result.callId()), result.text(), false));
            case Instruction _, Reference _ -> Optional.empty(); // they stand elsewhere
        };
    }

    private static Optional<Message> answered(Answer answer) {
        var blocks = new ArrayList<Block>();
        if (!answer.text().isBlank()) {
            blocks.add(Block.text(answer.text()));
        }
        answer.calls()
                .forEach(call -> blocks.add(
                        new Block.ToolCall(ClientCallId.shown(call.id()), call.name(), call.arguments(), null)));
        return blocks.isEmpty()
                ? Optional.empty()
                : Optional.of(new Message(Role.ASSISTANT, blocks, false, null, null));
    }

    /** Continues a response: in its session where it is the last turn, otherwise in a fork at its end. */
    private FollowedTurn after(Order order, ResponseId previous) {
        order.context()
                .caller()
                .require(Capability.SESSION_CREATE, order.context().project().projectKey());
        RecordKey source = order.key(previous.session());
        if (!forked(order, source, previous, order.reference())) {
            Optional<FollowedTurn> next = next(order, source, previous);
            if (next.isPresent()) {
                return next.get();
            }
            // another turn came first
            forked(order, source, previous, order.reference() + " again");
        }
        RecordKey copy = order.own();
        return turns.begin(
                copy, turn(order, copy, "followup", order.work().transcript().instructions()));
    }

    private boolean forked(Order order, RecordKey source, ResponseId previous, String reference) {
        RequestContext context = order.context();
        try {
            return turns.fork(context.caller(), source, previous.turn(), order.own(), reference);
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                throw ResponseRequest.noPrevious(previous.text());
            }
            if (e.code().equals("session_busy")) {
                requireResults(order, source, previous);
            }
            throw e;
        }
    }

    /** A response with function calls can only be continued with their results. */
    private void requireResults(Order order, RecordKey source, ResponseId previous) {
        turns.awaited(order.context().caller(), source).stream()
                .filter(call -> call.turnId().equals(previous.turn()))
                .findFirst()
                .ifPresent(call -> {
                    throw ProtocolException.invalid(
                            "input",
                            "No tool output found for function call %s."
                                    .formatted(ClientCallId.of(call, source.session())
                                            .text()));
                });
    }

    /** The turn right after this one; empty where another turn came between. */
    private Optional<FollowedTurn> next(Order order, RecordKey source, ResponseId previous) {
        FollowedTurn turn;
        try {
            turn = turns.begin(
                    source,
                    turn(order, source, "reject", order.work().transcript().instructions()));
        } catch (ApiException e) {
            if (e.code().equals("session_busy")) {
                return Optional.empty();
            }
            throw e;
        }
        boolean follows =
                previous.seq() == 0 || turn.seq().isEmpty() || turn.seq().getAsLong() == previous.seq() + 1;
        if (follows) {
            return Optional.of(turn);
        }
        try (turn) {
            turns.cancel(order.context().caller(), source, turn.id());
        } catch (ApiException e) {
            // it has already ended
        }
        return Optional.empty();
    }
}
