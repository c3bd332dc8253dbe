package dev.parley.workflows.work;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.AgentSkill;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.protocol.origin.Parent;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.http.Caller;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.process.AgentSession;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@code call: agent}: a turn of an agent in a session of the process, or in an existing session, such as a chat, which
 * then also gets the reply. The agent has its tools, memory and budget; in mode {@code native} neither tools nor
 * memory. The result arrives when the turn ends.
 *
 * @param mocks whether {@code mockOutput} of a definition replaces the call
 */
record AgentCall(CommandGateway gateway, AccessDirectory directory, boolean mocks) implements CallExecutor {
    private static final long SEND_TIMEOUT_SECONDS = 10;
    private static final Json NATIVE = Json.of("native");
    private static final Json NONE = Json.of(Agent.NONE);
    private static final BigDecimal MAX_TOKENS = BigDecimal.valueOf(1_000_000);

    @Override
    public String function() {
        return "agent";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        if (mocks && !with.get("mockOutput").isNull()) {
            return Optional.of(with.get("mockOutput"));
        }
        AgentSession session = session(request, with);
        try (CommandGateway.Ticket ticket = gateway.send(session.key(), turn(request, session, with))) {
            ticket.sent().get(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (outcome(ticket) instanceof Outcome.Refused refused) {
                throw CallException.configuration(
                        "the agent '%s' refused the turn: %s".formatted(session.agent(), refused.message()));
            }
        } catch (ExecutionException | TimeoutException e) {
            throw CallException.communication("Kafka did not accept the agent's turn: " + e, e);
        }
        return Optional.empty();
    }

    private SubmitTurn turn(WorkRequest request, AgentSession session, Json with) throws CallException {
        ProcessRef process = request.process();
        return new SubmitTurn(
                        meta(request, session, !with.get("session").isNull()),
                        Origin.WORKFLOW,
                        request.callId().toString(),
                        MailboxMode.FOLLOWUP,
                        session.agent(),
                        settings(with),
                        List.of(Block.text(message(with))),
                        "workflow",
                        null,
                        null,
                        new Parent(process.key(), process.id(), request.callId(), List.of(), null, null))
                .toChat(true);
    }

    private static AgentSession session(WorkRequest request, Json with) throws CallException {
        try {
            return AgentSession.of(request, with);
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(
                    "'" + with.get("session").display() + "' is not a valid session key: " + e.getMessage());
        }
    }

    /**
     * A named session must exist, and belong to the user who started the process unless that user can read all
     * sessions.
     */
    private CommandMeta meta(WorkRequest request, AgentSession session, boolean isNamed) {
        var meta = new CommandMeta(
                        session.turn(),
                        request.process().host(),
                        Instant.now(),
                        request.user(),
                        gateway.outcomePartition(),
                        null)
                .by(Actor.process(request.process().id()));
        if (!isNamed) {
            return meta;
        }
        CommandMeta existing = meta.toExisting();
        return Caller.inNameOf(request.process().host(), request.user(), directory)
                .map(caller -> caller.limited(existing, session.key().project()))
                .orElseGet(existing::toOwn);
    }

    /** The outcome of the command; null on timeout, after which the turn still reports its result. */
    private @Nullable Outcome outcome(CommandGateway.Ticket ticket) throws InterruptedException, ExecutionException {
        try {
            return gateway.outcomePartition() == null
                    ? null
                    : ticket.outcome().get(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return null;
        }
    }

    /** Output format and limits of the turn; null for the agent's own. */
    private static @Nullable Settings settings(Json with) throws CallException {
        var options = new HashMap<String, String>();
        put(options, "responseSchema", with.get("outputSchema"));
        put(options, Settings.SKILLS, with.get("skill"));
        put(options, Settings.APPROVALS, with.get("approvals").equals(NONE) ? NONE : Values.NULL);
        put(options, Settings.TURN_TOKENS, with.get("tokenBudget"));
        put(options, Settings.TURN_COST, with.get("costBudgetMicros"));
        put(options, Settings.DELEGATION_DEPTH, with.get("maximumDelegationDepth"));
        if (with.get("mode").equals(NATIVE)) {
            put(options, Agent.TOOL_CHOICE, NONE);
            put(options, Agent.MEMORY, NONE);
            options.putIfAbsent(Settings.SKILLS, AgentSkill.ALL);
        }
        Integer maxTokens = with.get("tokenBudget") instanceof Json.Num(BigDecimal budget) && budget.signum() > 0
                ? Integer.valueOf(budget.min(MAX_TOKENS).intValue())
                : null;
        try {
            return options.isEmpty() ? null : new Settings(null, null, null, null, maxTokens, options);
        } catch (IllegalArgumentException e) {
            throw CallException.configuration("invalid settings of the agent call: " + e.getMessage());
        }
    }

    private static void put(Map<String, String> options, String name, Json value) {
        if (!value.isNull()) {
            options.put(name, value instanceof Json.Str ? value.display() : value.toString());
        }
    }

    /** The message: instructions, prompt and input, which is JSON unless it is text. */
    private static String message(Json with) {
        var text = new StringBuilder();
        for (String part : List.of("instructions", "prompt", "input")) {
            Json value = with.get(part);
            if (!value.isNull()) {
                text.append(text.isEmpty() ? "" : "\n\n").append(value.display());
            }
        }
        return text.isEmpty() ? "Go on." : text.toString();
    }
}
