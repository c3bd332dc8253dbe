package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.a2a.A2aException.Code;
import dev.parley.channels.a2a.TaskService.Open;
import dev.parley.channels.protocols.AgentInvocation;
import dev.parley.channels.protocols.EventSink;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.protocols.TurnFollower;
import dev.parley.channels.protocols.UsableAgents;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.api.Api;
import dev.parley.platform.api.ApiAnswer;
import dev.parley.platform.api.OwnApi;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Correlation;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.time.Duration;

/** The operations of the protocol, for both bindings. */
@Singleton
final class TaskCalls {
    /** Maximum wait for a task. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    /** Discards the events: the response is sent as a whole. */
    private static final EventSink DISCARD = new EventSink() {
        @Override
        public void event(ObjectNode event) {}

        @Override
        public void comment() {}
    };

    private final TaskService tasks;
    private final UsableAgents agents;
    private final OwnApi api;

    TaskCalls(TaskService tasks, UsableAgents agents, OwnApi api) {
        this.tasks = tasks;
        this.agents = agents;
        this.api = api;
    }

    /**
     * Caller and version of a call.
     *
     * @param identity for calls of Parley's own API
     */
    record Call(A2aVersion dialect, AgentInvocation agentCall, Api.Identity identity) {
        private TaskJson json() {
            return new TaskJson(dialect);
        }
    }

    /** A stream to write once. */
    interface Streamed {
        void write(EventSink sink) throws InterruptedException;
    }

    /**
     * The caller and the agent.
     *
     * @throws dev.parley.platform.http.ApiException 403, 404
     */
    Call call(
            A2aVersion dialect,
            A2aVersion.Method method,
            String project,
            String agent,
            HttpRequest<?> request,
            Caller caller) {
        Capability required = switch (method) {
            case SEND, STREAM, CANCEL -> Capability.SESSION_SEND;
            case GET, SUBSCRIBE, LIST, PUSH, EXTENDED_CARD -> Capability.SESSION_READ;
        };
        Project targetProject = caller.require(required, project);
        agents.require(caller, targetProject, agent);
        String trace = request.getHeaders().get("traceparent");
        String key = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        return new Call(
                dialect,
                new AgentInvocation(caller, targetProject, agent, trace),
                new Api.Identity(key == null ? "" : key, Correlation.of(request).orElse(null), trace));
    }

    /** Sends a message, and waits for the task if the caller requests it. */
    ObjectNode send(Call call, RequestFields params) throws InterruptedException {
        MessageRequest message = MessageRequest.read(call.dialect(), params);
        try (Open open = tasks.send(call.agentCall(), message)) {
            if (message.waits()) {
                new TaskStream(open.task(), call.json(), true, DISCARD).follow(MAX_WAIT, MAX_WAIT);
            }
            return call.json().wrappedTask(open.task().view(Duration.ZERO), message.history());
        }
    }

    /** Sends a message, and streams its task. */
    Streamed stream(Call call, RequestFields params) throws InterruptedException {
        MessageRequest message = MessageRequest.read(call.dialect(), params);
        return openStream(call, tasks.send(call.agentCall(), message), true, message.history());
    }

    /** Shows a task. */
    ObjectNode show(Call call, String id, boolean history) throws InterruptedException {
        try (Open open = tasks.find(call.agentCall(), id)) {
            return call.json().task(open.task().view(Duration.ZERO), history);
        }
    }

    /** The caller's tasks, newest first, from the service that owns the tables. */
    ObjectNode list(Call call, TaskQuery query) throws InterruptedException {
        if (!api.roles().contains("sessions")) {
            throw new A2aException(Code.UNSUPPORTED_OPERATION, "This server does not list tasks: it shows no history.");
        }
        AgentInvocation agentCall = call.agentCall();
        ApiAnswer answer =
                api.of(call.identity()).send(query.turns(agentCall.project().projectKey(), agentCall.agent()));
        if (!answer.isDone()) {
            throw A2aException.of(answer);
        }
        ObjectNode page = answer.object().orElseGet(ProtocolJson::object);
        ObjectNode result = ProtocolJson.object();
        ArrayNode tasks = result.putArray("tasks");
        for (JsonNode row : page.path("data")) {
            TaskView task = TaskView.fromListedTurn(row.path("turn"));
            tasks.add(call.json().task(query.artifacts() ? task : task.withoutReply(), query.history()));
        }
        return result.put("nextPageToken", page.path("next").asText(""))
                .put("pageSize", query.pageSize())
                .put("totalSize", page.path("total").asLong());
    }

    /** Cancels a task. */
    ObjectNode cancel(Call call, String id) throws InterruptedException {
        return call.json().task(tasks.cancel(call.agentCall(), id), true);
    }

    /** Streams a task that has not ended. */
    Streamed subscribe(Call call, String id) throws InterruptedException {
        Open open = tasks.find(call.agentCall(), id);
        if (open.task().view(Duration.ZERO).state().isLast()) {
            open.close();
            throw new A2aException(
                    Code.UNSUPPORTED_OPERATION, "The task has ended: it is to be asked for, not to be subscribed to.");
        }
        return openStream(call, open, false, true);
    }

    private static Streamed openStream(Call call, Open opened, boolean stopsAtApprovals, boolean history)
            throws InterruptedException {
        TaskView first = opened.task().view(Duration.ZERO);
        return sink -> {
            try (Open open = opened) {
                new TaskStream(open.task(), call.json(), stopsAtApprovals, sink)
                        .write(first, history, TurnFollower.SILENCE);
            }
        };
    }

    /** The refusal of an unsupported method. */
    static A2aException refusal(A2aVersion.Method method) {
        return switch (method) {
            case PUSH -> MessageRequest.noPush();
            case EXTENDED_CARD ->
                new A2aException(Code.UNSUPPORTED_OPERATION, "The card that everybody sees is all of it.");
            case SEND, STREAM, GET, LIST, CANCEL, SUBSCRIBE ->
                new A2aException(Code.METHOD_NOT_FOUND, "There is no such method.");
        };
    }
}
