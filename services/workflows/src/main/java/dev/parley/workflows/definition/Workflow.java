package dev.parley.workflows.definition;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.schedule.Schedule;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A definition, ready to run.
 *
 * @param source as it was written, as JSON
 * @param looksAtContext whether expressions look at the context of the process rather than at the task's input
 * @param timeout null lets it take as long as it needs
 * @param schedule when it begins by itself; null never
 * @param startedBy events that begin it; null none
 * @param needs what it wants of the installation: {@code call http}, {@code run shell}
 * @param warnings what runs, and is probably not meant
 */
public record Workflow(
        String namespace,
        String name,
        String version,
        Json source,
        boolean looksAtContext,
        DataFlow input,
        Block body,
        DataFlow output,
        @Nullable DurationExpression timeout,
        @Nullable Schedule schedule,
        TaskKind.@Nullable Events startedBy,
        SortedSet<String> needs,
        List<Problem> warnings) {
    /** {@code namespace:name:version} */
    public String reference() {
        return namespace + ":" + name + ":" + version;
    }
}
