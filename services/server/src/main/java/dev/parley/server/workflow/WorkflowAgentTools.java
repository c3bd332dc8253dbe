package dev.parley.server.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.Ids;
import dev.parley.domain.definition.ToolAccess;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.tools.Tool;
import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.workflows.api.EventService;
import dev.parley.workflows.api.ProcessService;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The agent tools that start workflows, show processes and publish events, in the name of the user of the turn. */
@Factory
@Requires(property = "parley.role.tools", value = "true", beans = ProcessService.class)
final class WorkflowAgentTools {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_WAIT = 30;

    private final AccessDirectory directory;

    WorkflowAgentTools(AccessDirectory directory) {
        this.directory = directory;
    }

    private record ProcessTool(ToolSpec spec, Run work) implements Tool {
        @Override
        public ToolOutput run(ToolCallContext call, JsonNode arguments) {
            try {
                return work.run(call, arguments);
            } catch (ApiException e) {
                return new ToolOutput.Failed(e.getMessage());
            }
        }
    }

    @FunctionalInterface
    private interface Run {
        ToolOutput run(ToolCallContext call, JsonNode arguments);
    }

    /** All of these are idempotent by the id of the call. */
    private static ToolSpec spec(String name, String description, String parameters, ToolAccess access) {
        return new ToolSpec(name, description, parameters, ToolEffect.IDEMPOTENT, TIMEOUT).with(access);
    }

    /** The user of the turn, with their current permissions. */
    private Caller caller(ToolCallContext call) {
        return Caller.inNameOf(call.host(), call.user(), directory)
                .orElseThrow(() -> ApiException.badRequest(
                        "unknown_user", "The user is unknown: workflows require a user who has signed in"));
    }

    private static Optional<UUID> id(String text) {
        try {
            return Optional.of(Ids.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Singleton
    @Named(ToolSpec.WORKFLOW_START)
    Tool start(ProcessService processes) {
        return new ProcessTool(
                spec(
                        ToolSpec.WORKFLOW_START,
                        "Starts a process of a workflow and returns its state. If it does not end within wait_seconds, it"
                                + " continues: check it later with workflow_show.",
                        """
                        {"type":"object","properties":{\
                        "workflow":{"type":"string","minLength":1,"maxLength":300,"description":"Workflow to start, as namespace:name."},\
                        "input":{"type":"object","description":"Input of the process."},\
                        "wait_seconds":{"type":"integer","minimum":0,"maximum":30,"description":"Seconds to wait for the end of the process. Defaults to 5."}},\
                        "required":["workflow"],"additionalProperties":false}""",
                        ToolAccess.WRITE),
                (call, arguments) -> start(processes, call, arguments));
    }

    private ToolOutput start(ProcessService processes, ToolCallContext call, JsonNode arguments) {
        int wait = Math.min(arguments.path("wait_seconds").asInt(5), MAX_WAIT);
        Json input =
                arguments.has("input") ? JsonText.read(arguments.get("input").toString()) : Values.EMPTY_OBJECT;
        var answer = processes.start(
                caller(call),
                call.session().project(),
                arguments.get("workflow").asText(),
                Json.of("input", input).toString(),
                wait + "s",
                call.callId().toString());
        return ToolOutput.of(describe(JsonText.read(Objects.requireNonNull(answer.body()))));
    }

    @Singleton
    @Named(ToolSpec.WORKFLOW_SHOW)
    Tool show(ProcessService processes) {
        return new ProcessTool(
                spec(
                        ToolSpec.WORKFLOW_SHOW,
                        "Returns the state of a workflow process: what it waits for, its output, or its error.",
                        """
                        {"type":"object","properties":{"process":{"type":"string","description":"Id of the process."}},\
                        "required":["process"],"additionalProperties":false}""",
                        ToolAccess.READ),
                (call, arguments) -> {
                    UUID id = id(arguments.get("process").asText())
                            .orElseThrow(() -> ApiException.badRequest(
                                    "invalid_id",
                                    "A process has an id such as " + "123e4567-e89b-12d3-a456-426614174000"));
                    return ToolOutput.of(describe(processes.processJson(caller(call), id)));
                });
    }

    @Singleton
    @Named(ToolSpec.WORKFLOW_SIGNAL)
    Tool signal(EventService events) {
        return new ProcessTool(
                spec(
                        ToolSpec.WORKFLOW_SIGNAL,
                        "Publishes an event to the workflow processes that wait for it.",
                        """
                        {"type":"object","properties":{\
                        "type":{"type":"string","minLength":1,"maxLength":500,"description":"Type of the event, such as com.example.paid."},\
                        "data":{"description":"Payload of the event, any JSON."}},\
                        "required":["type"],"additionalProperties":false}""",
                        ToolAccess.WRITE),
                (call, arguments) -> signal(events, call, arguments));
    }

    private ToolOutput signal(EventService events, ToolCallContext call, JsonNode arguments) {
        Json event = Json.of("specversion", Json.of("1.0"))
                .with("id", Json.of(call.callId().toString()))
                .with("source", Json.of("urn:parley:turn:" + call.turnId()))
                .with("type", Json.of(arguments.get("type").asText()));
        if (arguments.has("data")) {
            event = event.with("data", JsonText.read(arguments.get("data").toString()));
        }
        events.publish(caller(call), call.session().project(), List.of(event));
        return ToolOutput.of("The event is published.");
    }

    /** A process as text for a model. */
    private static String describe(Json process) {
        var text = new StringBuilder("process %s of %s is %s"
                .formatted(
                        process.get("id").display(),
                        process.get("workflow").display(),
                        process.get("phase").display()));
        if (process.get("completedAt").isNull()) {
            text.append("; it waits for ").append(process.get("next").display());
        }
        if (!process.get("error").isNull()) {
            text.append("; it failed: ").append(process.get("error"));
        }
        if (!process.get("output").isNull()) {
            text.append("; its output: ").append(process.get("output"));
        }
        return text.toString();
    }
}
