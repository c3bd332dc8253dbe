package dev.parley.workflows.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.workflows.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowsPartTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, WorkflowsPart.PAGE, 2 * WorkflowsPart.PAGE + 1, 10_001})
    void writesAllTasksOfAProcess(int count) throws IOException {
        // Given
        Json process = Json.of("id", Json.of("a"));
        List<Json> tasks = LongStream.rangeClosed(1, count)
                .<Json>mapToObj(order -> Json.of("order", Json.of(order)))
                .toList();
        var out = new ByteArrayOutputStream();

        // When
        WorkflowsPart.writeLine(
                process,
                last -> tasks.stream().skip(last).limit(WorkflowsPart.PAGE).toList(),
                out);

        // Then
        assertEquals(process.with("tasks", Json.of(tasks)) + "\n", out.toString(StandardCharsets.UTF_8));
    }
}
