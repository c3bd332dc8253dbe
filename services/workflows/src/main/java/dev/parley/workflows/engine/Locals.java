package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import java.util.HashMap;
import java.util.Map;

/**
 * What is known in a place of a process and not everywhere.
 *
 * @param variables of loops and handlers
 * @param group of idempotency keys: what is tried again has the same ones
 * @param from number of the last task before this group
 */
record Locals(Map<String, Json> variables, String group, long from) {
    static final Locals NONE = new Locals(Map.of(), "", 0);

    Locals with(String name, Json value) {
        var more = new HashMap<>(variables);
        more.put(name, value);
        return new Locals(more, group, from);
    }

    Locals in(String otherGroup, long otherFrom) {
        return new Locals(variables, otherGroup, otherFrom);
    }
}
