package dev.parley.workflows.view;

import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.domain.workflow.WorkflowEvent.ProcessOverdue;
import dev.parley.domain.workflow.WorkflowEvent.ProcessStarted;
import dev.parley.domain.workflow.WorkflowEvent.TaskChanged;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Process events as CloudEvents in JSON, with the event types of the Serverless Workflow specification. */
public final class ProcessEvents {
    private ProcessEvents() {}

    /** A CloudEvent of a process event. */
    public static Json json(WorkflowEvent event) {
        String process = event.meta().process().id().toString();
        var json = new LinkedHashMap<String, Json>();
        json.put("specversion", Json.of("1.0"));
        json.put("id", Json.of(process + "#" + event.meta().seq()));
        json.put("source", Json.of("/v1/processes/" + process));
        json.put("type", Json.of(event.eventType()));
        json.put("time", Json.of(event.meta().at().toString()));
        json.put("datacontenttype", Json.of("application/json"));
        json.put("data", data(event));
        return Json.of(json);
    }

    private static Json data(WorkflowEvent event) {
        return switch (event) {
            case ProcessStarted started ->
                Json.of("workflow", Json.of(started.workflow()))
                        .with("instanceId", Json.of(started.instanceId()))
                        .with("input", value(started.input()))
                        .with("business", value(started.business()));
            case ProcessChanged changed ->
                Json.of("phase", Json.of(changed.phase().specificationName()))
                        .with("next", Json.of(changed.next()))
                        .with("output", value(changed.output()))
                        .with("error", value(changed.error()));
            case ProcessOverdue overdue ->
                Json.of("deadline", Json.of(overdue.deadline().toString()));
            case TaskChanged changed ->
                Json.of("task", Json.of(changed.name()))
                        .with("order", Json.of(changed.taskOrder()))
                        .with("pointer", Json.of(changed.pointer()))
                        .with("attempt", Json.of(changed.attempt()))
                        .with("phase", Json.of(changed.phase().specificationName()))
                        .with("output", value(changed.output()))
                        .with("error", value(changed.error()));
            case HumanTaskChanged changed ->
                Json.of("task", Json.of(changed.task().name()))
                        .with("order", Json.of(changed.task().taskOrder()))
                        .with("question", value(changed.task().question()))
                        .with("by", Json.textOf(changed.meta().user()));
        };
    }

    private static Json value(@Nullable String json) {
        return json == null ? Values.NULL : JsonText.read(json);
    }
}
