package dev.parley.workflows.api;

import dev.parley.workflows.json.Json;
import java.util.LinkedHashMap;
import java.util.Set;

/** What goes into processes and tasks, and what comes out: it may be long, and lists are read without it. */
final class ProcessData {
    private static final Set<String> NAMES = Set.of("input", "context", "output");

    private ProcessData() {}

    /** A process or a task without its data; what went wrong stays. */
    static Json without(Json row) {
        var brief = new LinkedHashMap<>(row.map());
        brief.keySet().removeAll(NAMES);
        return Json.of(brief);
    }
}
