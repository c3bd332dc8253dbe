package dev.parley.workflows.process;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.origin.Origin;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.util.UUID;

/**
 * The session and turn of an agent call: the session that the call names, else one per process and agent, so that the
 * agent remembers earlier calls of the process.
 *
 * @param agent its name
 */
public record AgentSession(RecordKey key, String agent, UUID turn) {
    /** The session of an agent call. */
    public static AgentSession of(WorkRequest call) {
        return of(call, JsonText.read(call.arguments()));
    }

    /** The session of an agent call with parsed arguments. */
    public static AgentSession of(WorkRequest call, Json arguments) {
        String agent = arguments.get("agent").display();
        String defaultSession = "workflow:" + call.process().id() + ":" + agent.replaceAll("[^A-Za-z0-9_.-]", "_");
        var key = new RecordKey(
                call.process().project(), arguments.get("session").text().orElse(defaultSession));
        return new AgentSession(
                key, agent, key.turnId(Origin.WORKFLOW.code(), call.callId().toString()));
    }
}
