package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.json.Json;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of a workflow.
 *
 * @param pointer where it stands, {@code /do/0/greet}: its reference
 * @param source as it stands in the definition
 * @param condition {@code if}; null runs it always
 * @param timeout null lets it take as long as it needs
 * @param retry how it is tried again where it fails; null lets the failure out
 * @param then where to go on: {@code continue}, {@code exit}, {@code end}, or the name of a task beside it
 * @param idempotencyKey what its call is known by elsewhere; null makes one
 * @param kind what it does
 */
@RecordBuilder
public record Task(
        String name,
        String pointer,
        Json source,
        @Nullable Expression condition,
        DataFlow input,
        DataFlow output,
        DataFlow export,
        @Nullable DurationExpression timeout,
        @Nullable RetryPolicy retry,
        String then,
        @Nullable Expression idempotencyKey,
        TaskKind kind)
        implements TaskBuilder.With {
    /** Go on with the next task. */
    public static final String CONTINUE = "continue";

    /** Leave the list of tasks that this one stands in. */
    public static final String EXIT = "exit";

    /** End the workflow. */
    public static final String END = "end";

    /** This task with tasks of extensions around it: they see its input as it is transformed, and it is timed with them. */
    Task extended(List<TaskKind.Extension> extensions) {
        Task bare = with().condition(null)
                .input(DataFlow.AS_IT_IS)
                .output(DataFlow.AS_IT_IS)
                .export(DataFlow.AS_IT_IS)
                .timeout(null)
                .retry(null)
                .then(CONTINUE)
                .build();
        return withKind(new TaskKind.Extended(extensions, bare));
    }
}
