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
import dev.parley.domain.turn.Outcomes.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tools that the caller brings with a turn. A call of one waits in the session, as a question to a person does: no worker is asked, the
 * caller is shown it, and its result comes with a command, or never.
 */
final class CallerCalls {
    private CallerCalls() {}

    /** Why a turn cannot have these tools; empty where it can. */
    static Optional<Refusal> refusal(Draft draft, Agent agent, SubmitTurn command) {
        if (command.tools().isEmpty()) {
            return Optional.empty();
        }
        try {
            CallerTools.check(command.tools());
        } catch (IllegalArgumentException e) {
            return Optional.of(new Refusal("invalid_tools", String.valueOf(e.getMessage())));
        }
        if (command.retries() != null) {
            return Optional.empty(); // what the agent has by now goes first
        }
        Toolset own = draft.definitions().toolset(agent, draft.state().disclosed());
        return command.tools().stream()
                .map(ToolSpec::name)
                .filter(own::knows)
                .findFirst()
                .map(name -> new Refusal(
                        "tool_name_taken", "the agent '%s' has a tool '%s' itself".formatted(agent.name(), name)));
    }

    /** Why the caller is not asked to carry out a call with these arguments; empty where they fit. */
    static Optional<String> misfit(Draft draft, ToolSpec tool, String arguments) {
        List<String> errors = draft.surroundings().schemas().errors(tool.parameters(), arguments);
        return errors.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", errors));
    }

    /** Shows the caller the calls of this step. All calls of the step were made: whoever hears of one can ask for all. */
    static void show(Draft draft) {
        open(draft)
                .forEach(call -> Calls.show(
                        draft,
                        TurnDelta.Kind.CALLER_CALL,
                        call.arguments(),
                        call.name(),
                        call.callId().toString()));
    }

    private static Stream<ToolCall> open(Draft draft) {
        ActiveTurn turn = draft.state().active();
        return turn == null
                ? Stream.empty()
                : turn.calls().stream()
                        .filter(call -> call.isCallers() && !call.status().isFinal());
    }

    /** Says which calls wait, for the caller or for a person. */
    static void list(Draft draft, ListCalls command) {
        List<CallerCall> calls = open(draft)
                .map(call -> new CallerCall(
                        draft.turn().turnId(),
                        call.callId(),
                        draft.turn().step(),
                        call.toolCallId(),
                        call.name(),
                        call.arguments(),
                        call.deadline()))
                .toList();
        Outcomes.calls(draft, command, calls, Approvals.pending(draft));
    }

    /** The caller gives a result. A turn has the rights of one person: nobody else says what its calls gave. */
    static void answer(Draft draft, AnswerCall command) {
        Optional<ToolCall> call = open(draft)
                .filter(one -> one.callId().equals(command.callId()))
                .filter(_ -> Mailbox.isTheirs(draft.turn().turn(), command))
                .findFirst();
        if (command.content().length() > CallerTools.LONGEST_RESULT) {
            Outcomes.refused(
                    draft,
                    command,
                    "result_too_long",
                    "a result has at most %,d characters".formatted(CallerTools.LONGEST_RESULT));
        } else if (call.isEmpty()) {
            Outcomes.refused(
                    draft,
                    command,
                    "unknown_call",
                    "no such call waits for a result of yours: it has one, took too long, or its turn has ended");
        } else {
            Outcomes.done(draft, command, draft.turn().turnId());
            ToolCalls.given(draft, call.get(), command.content(), command.failed());
        }
    }
}
