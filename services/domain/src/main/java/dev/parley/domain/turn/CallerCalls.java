package dev.parley.domain.turn;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.CallerTools;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand.AnswerCall;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.session.ActiveTurn;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tools passed by the caller of a turn. Their calls wait in the session, like an approval: no worker runs them, the
 * caller sees them and returns the result with a command, or lets them expire.
 */
final class CallerCalls {
    private CallerCalls() {}

    /** The reason why a turn cannot have these tools; empty if it can. */
    static Optional<Refusal> refusal(TurnDraft draft, Agent agent, SubmitTurn command) {
        if (command.tools().isEmpty()) {
            return Optional.empty();
        }
        try {
            CallerTools.check(command.tools());
        } catch (IllegalArgumentException e) {
            return Optional.of(new Refusal("invalid_tools", String.valueOf(e.getMessage())));
        }
        if (command.retries() != null) {
            return Optional.empty(); // the agent's present tools take precedence
        }
        Toolset agentTools = draft.definitions().toolset(agent, draft.state().disclosed());
        return command.tools().stream()
                .map(ToolSpec::name)
                .filter(agentTools::knows)
                .findFirst()
                .map(name -> new Refusal(
                        "tool_name_taken", "the agent '%s' has a tool '%s' itself".formatted(agent.name(), name)));
    }

    /** The reason why arguments are not passed on to the caller; empty if they are valid. */
    static Optional<String> argumentErrors(TurnDraft draft, ToolSpec tool, String arguments) {
        List<String> errors = draft.decisionContext().schemas().errors(tool.parameters(), arguments);
        return errors.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", errors));
    }

    /**
     * Publishes the calls of this step to the caller. All calls of the step exist by then: on seeing one, the caller
     * can list all.
     */
    static void publish(TurnDraft draft) {
        pending(draft)
                .forEach(call -> Calls.publish(
                        draft,
                        TurnDelta.Kind.CALLER_CALL,
                        call.arguments(),
                        call.name(),
                        call.callId().toString()));
    }

    private static Stream<ToolCall> pending(TurnDraft draft) {
        ActiveTurn turn = draft.state().active();
        return turn == null
                ? Stream.empty()
                : turn.calls().stream()
                        .filter(call -> call.isCallers() && !call.status().isFinal());
    }

    /** Answers with the calls that wait for the caller or for an approval. */
    static void list(TurnDraft draft, ListCalls command) {
        List<CallerCall> calls = pending(draft)
                .map(call -> new CallerCall(
                        draft.turn().turnId(),
                        call.callId(),
                        draft.turn().step(),
                        call.toolCallId(),
                        call.name(),
                        call.arguments(),
                        call.deadline()))
                .toList();
        Outcomes.listCalls(draft, command, calls, Approvals.pending(draft));
    }

    /** Accepts a result from the caller. Only the user of the turn may return results of its calls. */
    static void answer(TurnDraft draft, AnswerCall command) {
        Optional<ToolCall> call = pending(draft)
                .filter(pending -> pending.callId().equals(command.callId()))
                .filter(_ -> Mailbox.isOfSameUser(draft.turn().turn(), command))
                .findFirst();
        if (command.content().length() > CallerTools.MAX_RESULT_LENGTH) {
            Outcomes.refuse(
                    draft,
                    command,
                    "result_too_long",
                    "a result has at most %,d characters".formatted(CallerTools.MAX_RESULT_LENGTH));
        } else if (call.isEmpty()) {
            Outcomes.refuse(
                    draft,
                    command,
                    "unknown_call",
                    "no such call waits for a result of yours: it has one, took too long, or its turn has ended");
        } else {
            Outcomes.acceptAsDone(draft, command, draft.turn().turnId());
            ToolCalls.acceptCallerResult(draft, call.get(), command.content(), command.failed());
        }
    }
}
