package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.json.Json;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task of a workflow.
 *
 * @param pointer its JSON pointer and reference, {@code /do/0/greet}
 * @param source its JSON in the definition
 * @param condition {@code if}; null for always
 * @param timeout null for none
 * @param retry null to fail without a retry
 * @param then the next step: {@code continue}, {@code exit}, {@code end}, or a task of the same list
 * @param idempotencyKey of its call; null for a generated one
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
    /** Continue with the next task. */
    public static final String CONTINUE = "continue";

    /** Leave the list of tasks. */
    public static final String EXIT = "exit";

    /** End the workflow. */
    public static final String END = "end";

    /** This task wrapped in extensions: they see its transformed input, and its timeout includes them. */
    Task withExtensions(List<TaskKind.Extension> extensions) {
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
