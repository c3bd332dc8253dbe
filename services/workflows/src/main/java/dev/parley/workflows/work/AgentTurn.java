package dev.parley.workflows.work;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.MailboxMode;
import dev.parley.domain.protocol.Origin;
import dev.parley.domain.protocol.Parent;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.worker.Cancellation;
import dev.parley.workflows.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * {@code call: agent}: a turn of an agent in a session of the process, with the agent's tools, memory and budget. The turn answers when it has
 * ended. Agents of one process share no session.
 */
record AgentTurn(CommandGateway gateway) implements Callable {
    private static final long SENT_SECONDS = 10;

    @Override
    public String function() {
        return "agent";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        String agent = with.get("agent").display();
        RecordKey process = request.process().key();
        var session = new RecordKey(
                process.project(),
                "workflow:" + request.process().id() + ":" + agent.replaceAll("[^A-Za-z0-9_.-]", "_"));
        String reference = request.callId().toString();
        UUID turn = session.turnId(Origin.WORKFLOW.code(), reference);
        var meta = new CommandMeta(turn, request.process().host(), Instant.now(), request.user(), null, null);
        var parent = new Parent(process, request.process().id(), request.callId(), List.of(), null, null);
        var ticket = gateway.give(
                session,
                new SubmitTurn(
                        meta,
                        Origin.WORKFLOW,
                        reference,
                        MailboxMode.FOLLOWUP,
                        agent,
                        settings(with.get("outputSchema")),
                        List.of(Block.text(words(with))),
                        "workflow",
                        null,
                        null,
                        parent));
        try (ticket) {
            ticket.sent().get(SENT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw CallException.communication("Kafka did not take the agent's turn: " + e);
        }
        return Optional.empty();
    }

    private static @Nullable Settings settings(Json schema) {
        return schema.isNull()
                ? null
                : new Settings(null, null, null, null, null, Map.of("responseSchema", schema.toString()));
    }

    /** What the agent is told: instructions, the prompt, and the input as JSON where it is no text. */
    private static String words(Json with) {
        var words = new StringBuilder();
        for (String part : List.of("instructions", "prompt", "input")) {
            Json said = with.get(part);
            if (!said.isNull()) {
                words.append(words.isEmpty() ? "" : "\n\n").append(said.display());
            }
        }
        return words.isEmpty() ? "Go on." : words.toString();
    }
}
