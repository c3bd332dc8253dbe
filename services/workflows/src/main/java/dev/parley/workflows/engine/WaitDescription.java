package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;

/** Human-readable description of what a process waits for. */
final class WaitDescription {
    private WaitDescription() {}

    static String of(Workflow workflow, ProcessState state) {
        var said = new ArrayList<String>();
        Frame.tasks(state.body()).forEach(task -> of(task, said));
        return said.isEmpty() ? "its turn in " + workflow.name() : String.join("; ", said);
    }

    private static void of(Frame frame, List<String> said) {
        String name = JsonPointer.name(frame.pointer());
        switch (frame.work()) {
            case Frame.Calling calling -> said.add("the answer of '" + name + "'" + attempt(calling.tried()));
            case Frame.Sleeping(var until) -> said.add("'" + name + "', until " + until);
            case Frame.Again again ->
                said.add("'" + name + "', which is tried again at " + again.until() + " after: "
                        + again.error().title());
            case Frame.Asking(var question) ->
                said.add("a person who answers '" + name + "': " + ProcessMachine.brief(question.get("prompt")));
            case Frame.Listening listening when listening.body() == null -> said.add("events for '" + name + "'");
            case Frame.Subscribing subscribing
            when subscribing.body() == null -> said.add("messages for '" + name + "'");
            case Frame.Extending extending -> of(frame.withWork(extending.body()), said);
            case Frame.Retrying retrying ->
                said.add("'" + name + "', which is tried again at " + retrying.until() + " after: "
                        + retrying.error().title());
            default -> Frame.tasks(frame.work()).forEach(task -> of(task, said));
        }
    }

    private static String attempt(int tried) {
        return tried == 0 ? "" : " (attempt " + (tried + 1) + ")";
    }
}
