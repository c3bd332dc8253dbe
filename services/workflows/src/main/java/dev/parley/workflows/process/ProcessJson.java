package dev.parley.workflows.process;

import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** JSON of a process in the HTTP API. */
public final class ProcessJson {
    private ProcessJson() {}

    public static Json of(Instance instance) {
        ProcessState state = instance.state();
        var json = new LinkedHashMap<String, Json>();
        json.put("id", Json.of(instance.process().id().toString()));
        json.put("instanceId", Json.of(instance.instanceId()));
        json.put("project", Json.of(instance.process().project()));
        json.put("workflow", Json.of(instance.workflow().reference()));
        json.put("definitionId", Json.of(instance.definitionId().toString()));
        json.put("status", Json.of(String.valueOf(state.phase().letter())));
        json.put("phase", Json.of(state.phase().specified()));
        json.put("input", state.rawInput());
        json.put("context", state.context());
        json.put("output", state.output());
        WorkflowError error = state.error();
        json.put("error", error == null ? Values.NULL : error.toJson());
        json.put("business", instance.business());
        json.put("startedAt", time(state.startedAt()));
        json.put("completedAt", time(state.completedAt()));
        json.put("deadline", time(instance.deadline()));
        json.put(
                "parentId",
                instance.parent() == null
                        ? Values.NULL
                        : Json.of(instance.parent().process().id().toString()));
        json.put(
                "originId",
                instance.origin() == null
                        ? Values.NULL
                        : Json.of(instance.origin().toString()));
        json.put("next", Json.of(ProcessMachine.next(instance.workflow(), state)));
        return Json.of(json);
    }

    private static Json time(@Nullable Instant time) {
        return time == null ? Values.NULL : Json.of(time.toString());
    }
}
