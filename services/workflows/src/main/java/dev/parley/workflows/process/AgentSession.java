package dev.parley.workflows.process;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Origin;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.util.UUID;

/**
 * The session in which a process asks an agent, and the turn that a call is. It is the one that the call names; else one of its own: agents of
 * one process share none, and what one was asked before it remembers.
 *
 * @param agent its name
 */
public record AgentSession(RecordKey key, String agent, UUID turn) {
    /** Of a call of an agent. */
    public static AgentSession of(WorkRequest call) {
        return of(call, JsonText.read(call.arguments()));
    }

    /** The same, where the arguments were read already. */
    public static AgentSession of(WorkRequest call, Json arguments) {
        String agent = arguments.get("agent").display();
        String own = "workflow:" + call.process().id() + ":" + agent.replaceAll("[^A-Za-z0-9_.-]", "_");
        var key = new RecordKey(
                call.process().project(), arguments.get("session").text().orElse(own));
        return new AgentSession(
                key, agent, key.turnId(Origin.WORKFLOW.code(), call.callId().toString()));
    }
}
