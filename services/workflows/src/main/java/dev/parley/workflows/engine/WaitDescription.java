package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Workflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process waits for, for people to read. */
final class WaitDescription {
    private WaitDescription() {}

    static String of(Workflow workflow, ProcessState state) {
        var said = new ArrayList<String>();
        of(state.body(), said);
        return said.isEmpty() ? "its turn in " + workflow.name() : String.join("; ", said);
    }

    private static void of(Frame frame, List<String> said) {
        String name = frame.pointer().substring(frame.pointer().lastIndexOf('/') + 1);
        switch (frame.work()) {
            case Frame.Calling calling -> said.add("the answer of '" + name + "'" + attempt(calling.tried()));
            case Frame.Sleeping(var until) -> said.add("'" + name + "', until " + until);
            case Frame.Again again ->
                said.add("'" + name + "', which is tried again at " + again.until() + " after: "
                        + again.error().title());
            case Frame.Asking(var question) ->
                said.add("a person who answers '" + name + "': " + ProcessMachine.brief(question.get("prompt")));
            case Frame.Listening listening when listening.body() == null -> said.add("events for '" + name + "'");
            case Frame.Listening listening -> of(listening.body(), said);
            case Frame.Extending extending -> of(frame.with(extending.body()), said);
            case Frame.Retrying retrying ->
                said.add("'" + name + "', which is tried again at " + retrying.until() + " after: "
                        + retrying.error().title());
            default -> of(frame.work(), said);
        }
    }

    private static String attempt(int tried) {
        return tried == 0 ? "" : " (attempt " + (tried + 1) + ")";
    }

    private static void of(Frame.@Nullable Work work, List<String> said) {
        switch (work) {
            case null -> {}
            case Frame.Sequence sequence -> of(sequence.task(), said);
            case Frame.Function(Frame task) -> of(task, said);
            case Frame.Looping looping -> of(looping.body(), said);
            case Frame.Trying trying -> of(trying.body(), said);
            case Frame.Catching catching -> of(catching.body(), said);
            case Frame.Forking(var branches) ->
                branches.forEach(branch -> {
                    if (branch.running() != null) {
                        of(branch.running(), said);
                    }
                });
            default -> {}
        }
    }
}
