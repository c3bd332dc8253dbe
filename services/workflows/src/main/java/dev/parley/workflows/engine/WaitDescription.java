package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;

/** Human-readable description of what a process waits for. */
final class WaitDescription {
    private WaitDescription() {}

    static String of(Workflow workflow, ProcessState state) {
        var waits = new ArrayList<String>();
        Frame.tasks(state.body()).forEach(task -> of(task, waits));
        return waits.isEmpty() ? "its turn in " + workflow.name() : String.join("; ", waits);
    }

    private static void of(Frame frame, List<String> waits) {
        String name = JsonPointer.name(frame.pointer());
        switch (frame.work()) {
            case Frame.Calling calling -> waits.add("the answer of '" + name + "'" + attempt(calling.tried()));
            case Frame.Sleeping(var until) -> waits.add("'" + name + "', until " + until);
            case Frame.Again again ->
                waits.add("'" + name + "', which is tried again at " + again.until() + " after: "
                        + again.error().title());
            case Frame.Asking(var question) ->
                waits.add("a person who answers '" + name + "': " + ProcessMachine.brief(question.get("prompt")));
            case Frame.Listening listening when listening.body() == null -> waits.add("events for '" + name + "'");
            case Frame.Subscribing subscribing
            when subscribing.body() == null -> waits.add("messages for '" + name + "'");
            case Frame.Extending extending -> of(frame.withWork(extending.body()), waits);
            case Frame.Retrying retrying ->
                waits.add("'" + name + "', which is tried again at " + retrying.until() + " after: "
                        + retrying.error().title());
            default -> Frame.tasks(frame.work()).forEach(task -> of(task, waits));
        }
    }

    private static String attempt(int tried) {
        return tried == 0 ? "" : " (attempt " + (tried + 1) + ")";
    }
}
