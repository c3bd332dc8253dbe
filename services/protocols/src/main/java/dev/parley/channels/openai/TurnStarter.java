package dev.parley.channels.openai;

import dev.parley.channels.openai.request.ClientCallId;
import dev.parley.channels.openai.request.ClientTranscript;
import dev.parley.channels.openai.request.FunctionTools;
import dev.parley.channels.openai.request.InputMessage;
import dev.parley.channels.openai.request.InputMessage.Answer;
import dev.parley.channels.openai.request.InputMessage.Instruction;
import dev.parley.channels.openai.request.InputMessage.Question;
import dev.parley.channels.openai.request.InputMessage.Result;
import dev.parley.channels.openai.request.RequestContext;
import dev.parley.channels.openai.store.ResponseStore;
import dev.parley.channels.openai.store.StoredCall;
import dev.parley.channels.openai.store.StoredResponse;
import dev.parley.channels.openai.store.UsageJson;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.UsableAgents;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.channels.web.FollowedTurn;
import dev.parley.channels.web.TurnRequest;
import dev.parley.channels.web.TurnService;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.Usage;
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
    private final UsableAgents agents;
    private final RetryReferences retries;
    private final ResponseStore store;

    TurnStarter(TurnService turns, UsableAgents agents, RetryReferences retries, ResponseStore store) {
        this.turns = turns;
        this.agents = agents;
        this.retries = retries;
        this.store = store;
    }

    /**
     * Input of an agent.
     *
     * @param session the named session, or null
     * @param previous the response to continue, or null
     * @param referenced the response that is continued where the input has all of its conversation, or null
     */
    record Input(
            String agent,
            ClientTranscript transcript,
            SettingsJson settings,
            List<CallerToolJson> tools,
            @Nullable String session,
            @Nullable StoredResponse previous,
            @Nullable StoredResponse referenced) {}

    /**
     * A turn that has begun or continues.
     *
     * @param firstStep the first model call whose text answers this request: earlier ones made the calls whose results
     *     it submits
     * @param spent usage of the turn before it, as it is stored, or null
     */
    record Started(
            FollowedTurn turn, int firstStep, @Nullable String spent) {
        /** The usage of the model calls that answer this request, of that of the turn. */
        @Nullable
        Usage own(@Nullable Usage ofTurn) {
            return ofTurn == null || spent == null ? ofTurn : ofTurn.minus(UsageJson.read(spent));
        }
    }

    /** An input with its caller and reference. */
    private record Submission(RequestContext context, Input input, String reference) {
        RecordKey ownSession() {
            return session(TurnService.generatedKey(context.caller(), "openai", reference));
        }

        RecordKey session(String session) {
            return context.caller().session(context.project().projectKey(), session);
        }
    }

    /**
     * Starts the turn. The caller closes the result.
     *
     * @throws ApiException, ProtocolException when it is refused
     */
    Started begin(RequestContext context, Input input) {
        if (agents.find(context.caller(), context.project(), input.agent()).isEmpty()) {
            throw ModelController.unknown(input.agent());
        }
        boolean isNamed = context.idempotencyKey() != null;
        String reference = isNamed
                ? TurnService.reference(context.idempotencyKey())
                : retries.reference(context.content(), context.isRetry());
        try {
            return begin(new Submission(context, input, reference));
        } catch (ApiException e) {
            if (!isNamed && e.status().getCode() < HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
                retries.forget(context.content());
            }
            throw e;
        }
    }

    private Started begin(Submission submission) {
        return submission.input().transcript().submitsResults()
                ? continueTurn(submission)
                : new Started(beginTurn(submission), 0, null);
    }

    private FollowedTurn beginTurn(Submission submission) {
        Input input = submission.input();
        if (input.previous() != null) {
            return continueResponse(submission, input.previous());
        }
        if (input.session() != null) {
            RecordKey key = submission.session(input.session());
            submitPendingResults(submission, key);
            return submit(submission, key, "followup", input.transcript().newInstructions());
        }
        return input.referenced() != null && hasWholeConversation(input, input.referenced())
                ? continueResponse(submission, input.referenced())
                : beginSession(submission);
    }

    /** Whether the input before its new messages is what was said up to the end of a response. */
    private static boolean hasWholeConversation(Input input, StoredResponse response) {
        return ContextDigest.of(null, input.transcript().history()).equals(ContextDigest.after(response));
    }

    /** Submits the turn; functions with names of the agent's own tools get other names. */
    private FollowedTurn submit(Submission submission, RecordKey key, String mode, String instructions) {
        try {
            return turns.begin(key, turn(submission, key, mode, instructions, false));
        } catch (ApiException e) {
            if (!e.code().equals("tool_name_taken")) {
                throw e;
            }
            return turns.begin(key, turn(submission, key, mode, instructions, true));
        }
    }

    private SubmitTurn turn(Submission submission, RecordKey key, String mode, String instructions, boolean isRenamed) {
        Input input = submission.input();
        var turnRequest = new TurnRequest(
                null,
                input.transcript().message(instructions),
                mode,
                input.agent(),
                FunctionTools.settings(input.settings(), input.tools(), isRenamed),
                FunctionTools.named(input.tools(), isRenamed));
        RequestContext context = submission.context();
        String reference = submission.reference() + (isRenamed ? " renamed" : "");
        return turns.turn(context.caller(), key, turnRequest, reference, context.trace());
    }

    /** Continues the turn that waits for results of the client. */
    private Started continueTurn(Submission submission) {
        List<Result> results = submission.input().transcript().results();
        StoredCall first = call(submission, results.getFirst());
        RecordKey key = submission.session(first.session());
        boolean isAccepted = false;
        for (Result result : results) {
            StoredCall call = call(submission, result);
            if (!call.isWith(first)) {
                throw ProtocolException.invalid(null, "The results belong to calls of several answers.");
            }
            isAccepted |= submitResult(submission, key, call, result);
        }
        if (!isAccepted) {
            throw ProtocolException.badRequest(
                    "unknown_call",
                    null,
                    "No call '%s' waits for a result: it has another one, took longer than an hour, or its turn has ended."
                            .formatted(results.getFirst().callId()));
        }
        return new Started(
                turns.follow(submission.context().caller(), key, first.turnId()), first.step() + 1, first.usage());
    }

    private StoredCall call(Submission submission, Result result) {
        Input input = submission.input();
        StoredCall call = store.call(submission.context().project(), result.callId())
                .orElseThrow(() -> ProtocolException.badRequest(
                        "unknown_call", null, "No agent made the call '%s' here.".formatted(result.callId())));
        StoredResponse previous = input.previous();
        String session = previous == null ? input.session() : previous.session();
        boolean isSameConversation = (session == null || session.equals(call.session()))
                && (previous == null || previous.turnId().equals(call.turnId()));
        if (!isSameConversation) {
            throw ProtocolException.invalid(
                    null, "The call '%s' was made in another conversation.".formatted(result.callId()));
        }
        return call;
    }

    /** Submits results of pending calls before the new message. */
    private void submitPendingResults(Submission submission, RecordKey key) {
        for (Result result : submission.input().transcript().results()) {
            store.call(submission.context().project(), result.callId())
                    .filter(call -> call.session().equals(key.session()))
                    .ifPresent(call -> submitResult(submission, key, call, result));
        }
    }

    /** @return whether the result was accepted, now or earlier */
    private boolean submitResult(Submission submission, RecordKey key, StoredCall call, Result result) {
        try {
            turns.answer(submission.context().caller(), key, call.callId(), result.text(), false);
            return true;
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                return false;
            }
            throw e;
        }
    }

    /** Starts a new session. */
    private FollowedTurn beginSession(Submission submission) {
        RequestContext context = submission.context();
        context.caller().require(Capability.SESSION_CREATE, context.project().projectKey());
        RecordKey key = submission.ownSession();
        ClientTranscript transcript = submission.input().transcript();
        String agent = submission.input().agent();
        if (!transcript.history().isEmpty()) {
            turns.seed(
                    context.caller(),
                    key,
                    submission.reference(),
                    agent,
                    transcript.title(),
                    messages(transcript.history()));
        } else if (!transcript.instructions().isEmpty()) { // otherwise its first words become the title
            turns.open(context.caller(), key, submission.reference(), agent, transcript.title());
        }
        return submit(submission, key, "followup", transcript.instructions());
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
            case Answer answer -> assistantMessage(answer);
            case Result result ->
                Optional.of(Message.toolResult(ClientCallId.shortId(result.callId()), result.text(), false));
            case Instruction _ -> Optional.empty(); // it stands elsewhere
        };
    }

    private static Optional<Message> assistantMessage(Answer answer) {
        var blocks = new ArrayList<Block>();
        if (!answer.text().isBlank()) {
            blocks.add(Block.text(answer.text()));
        }
        answer.calls()
                .forEach(call -> blocks.add(
                        new Block.ToolCall(ClientCallId.shortId(call.id()), call.name(), call.arguments(), null)));
        return blocks.isEmpty()
                ? Optional.empty()
                : Optional.of(new Message(Role.ASSISTANT, blocks, false, null, null));
    }

    /** Continues a response: in its session where it is the last turn, otherwise in a fork at its end. */
    private FollowedTurn continueResponse(Submission submission, StoredResponse previous) {
        RequestContext context = submission.context();
        context.caller().require(Capability.SESSION_CREATE, context.project().projectKey());
        RecordKey source = submission.session(previous.session());
        if (!fork(submission, source, previous, submission.reference())) {
            Optional<FollowedTurn> next = next(submission, source, previous);
            if (next.isPresent()) {
                return next.get();
            }
            // another turn came first
            fork(submission, source, previous, submission.reference() + " again");
        }
        RecordKey copy = submission.ownSession();
        return submit(
                submission, copy, "followup", submission.input().transcript().instructions());
    }

    private boolean fork(Submission submission, RecordKey source, StoredResponse previous, String reference) {
        RequestContext context = submission.context();
        try {
            return turns.fork(context.caller(), source, previous.turnId(), submission.ownSession(), reference);
        } catch (ApiException e) {
            if (e.code().startsWith("unknown_")) {
                throw ResponseRequest.noPrevious(previous.id().text());
            }
            if (e.code().equals("session_busy")) {
                requireResults(submission, source, previous);
            }
            throw e;
        }
    }

    /** A response with function calls can only be continued with their results. */
    private void requireResults(Submission submission, RecordKey source, StoredResponse previous) {
        turns.awaitedCalls(submission.context().caller(), source).stream()
                .filter(call -> call.turnId().equals(previous.turnId()))
                .findFirst()
                .ifPresent(call -> {
                    throw ProtocolException.invalid(
                            "input",
                            "No tool output found for function call %s."
                                    .formatted(new ClientCallId(call.callId()).text()));
                });
    }

    /** The turn right after this one; empty where another turn came between. */
    private Optional<FollowedTurn> next(Submission submission, RecordKey source, StoredResponse previous) {
        Optional<FollowedTurn> started = beginWhereIdle(submission, source);
        if (started.isEmpty() || isNext(started.get(), previous)) {
            return started;
        }
        try (FollowedTurn turn = started.get()) {
            turns.cancel(submission.context().caller(), source, turn.id());
        } catch (ApiException e) {
            // it has already ended
        }
        return Optional.empty();
    }

    /** The turn; empty where another one is active. */
    private Optional<FollowedTurn> beginWhereIdle(Submission submission, RecordKey source) {
        String instructions = submission.input().transcript().instructions();
        try {
            return Optional.of(submit(submission, source, "reject", instructions));
        } catch (ApiException e) {
            if (e.code().equals("session_busy")) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether a turn follows a response, as far as their numbers are known. */
    private static boolean isNext(FollowedTurn turn, StoredResponse previous) {
        return previous.turnSeq() == 0 || turn.seq().isEmpty() || turn.seq().getAsLong() == previous.turnSeq() + 1;
    }
}
