package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.turn.answer.ToolArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A task delegated to another agent.
 *
 * @param child key of the session that executes it, or null if it is refused
 * @param refusal why it is refused, or empty
 */
public record Delegation(@Nullable RecordKey child, String agent, String task, String refusal) {
    private static final String SEGMENT = ":delegate:";

    static Delegation of(TurnDraft draft, String json) {
        var arguments = ToolArguments.orEmpty(json);
        String agent = arguments.text("agent");
        String task = arguments.text("task");
        String refusal = refusal(draft, agent, task);
        if (!refusal.isEmpty()) {
            return new Delegation(null, agent, task, refusal);
        }
        int n = arguments.flag("fresh") ? draft.state().fresh().getOrDefault(agent, 0) + 1 : 0;
        RecordKey child;
        try {
            child = draft.state().key().delegate(agent, n);
        } catch (IllegalArgumentException e) {
            return new Delegation(null, agent, task, "the session key would become too long");
        }
        return new Delegation(child, agent, task, "");
    }

    /** The task that a call delegated to this session. */
    static Delegation to(RecordKey child, String json) {
        var arguments = ToolArguments.orEmpty(json);
        return new Delegation(child, agentOf(child), arguments.text("task"), "");
    }

    private static String refusal(TurnDraft draft, String agent, String task) {
        var delegates = draft.definitions().delegates(draft.agent());
        var ancestors = ancestors(draft.turn());
        if (task.isBlank()) {
            return "delegate needs {\"agent\": …, \"task\": …}";
        }
        if (delegates.stream().noneMatch(other -> other.name().equals(agent))) {
            return "there is no agent '" + agent + "' to delegate to; there are " + names(delegates);
        }
        long maxDepth = Math.min(
                TurnMachine.MAX_DEPTH,
                draft.agent().bound(Settings.DELEGATION_DEPTH).orElse(TurnMachine.MAX_DEPTH));
        if (ancestors.size() > maxDepth) {
            return "delegation goes at most " + maxDepth + " levels deep; do it yourself";
        }
        if (ancestors.contains(agent)) {
            return "the agent '" + agent + "' is already at work above you; do it yourself";
        }
        return "";
    }

    /** The agents of the delegation chain, from the root to the agent of this turn. */
    private static List<String> ancestors(ActiveTurn turn) {
        var agents = new ArrayList<String>();
        if (turn.turn().parent() != null) {
            agents.addAll(turn.turn().parent().agents());
        }
        agents.add(turn.turn().agent());
        return agents;
    }

    TurnCommand.SubmitTurn submit(TurnDraft draft, ToolCall call) {
        ActiveTurn turn = draft.turn();
        String ref = call.callId().toString();
        RecordKey to = Objects.requireNonNull(child);
        UUID turnId = to.turnId(Origin.DELEGATE.code(), ref);
        return new TurnCommand.SubmitTurn(
                draft.commandMeta(turnId),
                Origin.DELEGATE,
                ref,
                MailboxMode.FOLLOWUP,
                agent,
                turn.turn().settings() == null ? null : turn.turn().settings().bounds(),
                List.of(Block.text(task)),
                "delegate",
                null,
                null,
                parent(draft, call));
    }

    private static Parent parent(TurnDraft draft, ToolCall call) {
        ActiveTurn turn = draft.turn();
        return new Parent(
                draft.state().key(),
                draft.state().open().sessionId(),
                call.callId(),
                ancestors(turn),
                turn.turn().top() == null ? turn.turnId() : turn.turn().top(),
                TurnLifecycle.fileAddress(turn));
    }

    /** The command that cancels the child's turn for this call. */
    static TurnCommand.CancelTurn cancel(TurnDraft draft, ToolCall call) {
        RecordKey to = Objects.requireNonNull(call.child());
        CommandMeta meta = draft.commandMeta(Ids.of("cancel", call.callId()));
        UUID childTurn = to.turnId(Origin.DELEGATE.code(), call.callId().toString());
        return new TurnCommand.CancelTurn(meta, childTurn, "the delegating turn ended");
    }

    /** The agent named in a delegate's session key. */
    static String agentOf(RecordKey child) {
        String name = lastSegment(child);
        return isFresh(child) ? name.substring(0, name.indexOf('~')) : name;
    }

    /** Whether the delegate is fresh, without context of earlier tasks; agent names contain no tilde. */
    public static boolean isFresh(RecordKey child) {
        return lastSegment(child).indexOf('~') >= 0;
    }

    private static String lastSegment(RecordKey child) {
        String key = child.session();
        return key.substring(key.lastIndexOf(SEGMENT) + SEGMENT.length());
    }

    static String names(List<Agent> agents) {
        return agents.stream().map(Agent::name).collect(Collectors.joining(", "));
    }
}
