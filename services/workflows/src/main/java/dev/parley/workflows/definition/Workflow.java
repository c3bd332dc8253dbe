package dev.parley.workflows.definition;

import dev.parley.domain.Ids;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.schedule.Schedule;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A compiled definition.
 *
 * @param source its JSON
 * @param evaluatesOnContext whether expressions are evaluated on the context of the process instead of the task's input
 * @param timeout null for none
 * @param schedule null for none
 * @param startedBy events that start it; null for none
 * @param needs required features of the server: {@code call http}, {@code run shell}
 * @param warnings valid parts that are probably mistakes
 */
public record Workflow(
        String namespace,
        String name,
        String version,
        Json source,
        boolean evaluatesOnContext,
        DataFlow input,
        TaskBlock body,
        DataFlow output,
        @Nullable DurationExpression timeout,
        @Nullable Schedule schedule,
        TaskKind.@Nullable Events startedBy,
        SortedSet<String> needs,
        List<DefinitionProblem> warnings) {
    /** {@code namespace:name:version} */
    public String reference() {
        return namespace + ":" + name + ":" + version;
    }

    /**
     * The id of a published version.
     *
     * @param project null for one of the host
     */
    public static UUID id(UUID host, @Nullable UUID project, String reference) {
        return Ids.of("workflow", host, String.valueOf(project), reference);
    }
}
