package dev.parley.workflows.process;

import dev.parley.domain.workflow.ParentCall;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.LinkedHashMap;

/** JSON of a process in the HTTP API. */
public final class ProcessJson {
    private ProcessJson() {}

    public static Json of(ProcessInstance instance) {
        ProcessState state = instance.state();
        var json = new LinkedHashMap<String, Json>();
        json.put("id", Json.of(instance.process().id().toString()));
        json.put("instanceId", Json.of(instance.instanceId()));
        json.put("project", Json.of(instance.process().project()));
        json.put("workflow", Json.of(instance.workflow().reference()));
        json.put("definitionId", Json.of(instance.definitionId().toString()));
        json.put("status", Json.of(String.valueOf(state.phase().letter())));
        json.put("phase", Json.of(state.phase().specificationName()));
        json.put("input", state.rawInput());
        json.put("context", state.context());
        json.put("output", state.output());
        json.put("error", state.error() == null ? Values.NULL : state.error().toJson());
        json.put("business", instance.business());
        json.put("startedAt", Json.textOf(state.startedAt()));
        json.put("completedAt", Json.textOf(state.completedAt()));
        json.put("deadline", Json.textOf(instance.deadline()));
        ParentCall parent = instance.parent();
        json.put(
                "parentId", Json.textOf(parent == null ? null : parent.process().id()));
        json.put("originId", Json.textOf(instance.origin()));
        json.put("next", Json.of(ProcessMachine.next(instance.workflow(), state)));
        return Json.of(json);
    }
}
