package dev.parley.domain.turn;

import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Disclosed;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.definition.Skills;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.session.SessionState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Admission of turns: which messages and settings are rejected before they reach the mailbox, and why. */
final class TurnAdmission {
    private TurnAdmission() {}

    /** The reason why a message cannot become a turn in any state of the session; empty if it can. */
    static Optional<Refusal> refusal(TurnDraft draft, SubmitTurn command) {
        return contentRefusal(command.content())
                .or(() -> sessionRefusal(draft.state(), command))
                .or(() -> agentRefusal(draft, command));
    }

    static Optional<Refusal> contentRefusal(List<Block> content) {
        return Refusal.when(content.stream().allMatch(Block::isBlank), "empty_message", "the message is empty");
    }

    private static Optional<Refusal> sessionRefusal(SessionState state, SubmitTurn command) {
        return state.exists()
                ? Refusal.when(
                        state.open().status() == SessionStatus.ARCHIVED,
                        "session_archived",
                        "the session is archived; reopen it first")
                : Refusal.when(
                        command.meta().existingOnly(),
                        "unknown_session",
                        "there is no such session, and you may not open one");
    }

    private static Optional<Refusal> agentRefusal(TurnDraft draft, SubmitTurn command) {
        String name = agentName(draft.state(), command);
        Optional<Agent> found = draft.definitions().agent(name);
        if (found.isEmpty()) {
            String names = Delegation.names(draft.definitions().agents());
            return Optional.of(new Refusal("unknown_agent", "there is no agent '" + name + "'; there are " + names));
        }
        Agent agent = found.get();
        return Refusal.when(
                        command.parent() == null && !agent.isPrimary(),
                        "agent_not_primary",
                        "the agent '" + name + "' only works for other agents")
                .or(() -> refusal(draft, agent, command.settings()))
                .or(() -> CallerCalls.refusal(draft, agent, command))
                .or(() -> unknownTool(draft, agent, command));
    }

    private static Optional<Refusal> unknownTool(TurnDraft draft, Agent agent, SubmitTurn command) {
        if (!(agent.with(command.settings()).toolChoice() instanceof ToolChoice.Named named)) {
            return Optional.empty();
        }
        Toolset tools =
                draft.definitions().toolset(agent, draft.state().disclosed()).with(command.tools());
        return tools.knows(named.tool())
                ? Optional.empty()
                : Optional.of(new Refusal("unknown_tool", tools.unknown(named.tool())));
    }

    /** The reason why these settings cannot be used with this agent; empty if they can. */
    static Optional<Refusal> refusal(TurnDraft draft, Agent agent, @Nullable Settings settings) {
        return settings == null
                ? Optional.empty()
                : unknownSkill(draft, agent, agent.with(settings).firstSkills())
                        .or(() -> unknownModel(agent, settings.model()));
    }

    private static Optional<Refusal> unknownSkill(TurnDraft draft, Agent agent, List<String> requested) {
        if (requested.isEmpty()) {
            return Optional.empty();
        }
        var skills = Skills.of(agent, draft.definitions(), Disclosed.NONE);
        try {
            requested.stream().filter(name -> !name.equals(AgentSkill.ALL)).forEach(skills::load);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(new Refusal("unknown_skill", String.valueOf(e.getMessage())));
        }
    }

    private static Optional<Refusal> unknownModel(Agent agent, @Nullable String model) {
        return model == null
                ? Optional.empty()
                : Refusal.when(
                        !agent.models().contains(model),
                        "unknown_model",
                        "the agent '%s' does not offer the model '%s'; there are %s"
                                .formatted(agent.name(), model, String.join(", ", agent.models())));
    }

    /** The agent that a message is for. */
    static String agentName(SessionState state, SubmitTurn command) {
        if (command.agent() != null) {
            return command.agent();
        }
        return state.exists() ? state.open().agent() : Agent.DEFAULT;
    }
}
