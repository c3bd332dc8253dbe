package dev.parley.workflows.api;

import dev.parley.workflows.json.Json;
import java.util.LinkedHashMap;
import java.util.Set;

/** The large data fields of processes and tasks, which lists leave out unless requested. */
final class ProcessData {
    private static final Set<String> NAMES = Set.of("input", "context", "output");

    private ProcessData() {}

    /** A process or task without its data; its error is kept. */
    static Json without(Json row) {
        var brief = new LinkedHashMap<>(row.map());
        brief.keySet().removeAll(NAMES);
        return Json.of(brief);
    }
}
