package dev.parley.workflows.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.YamlText;
import dev.parley.workflows.simulation.Simulation.Result;
import java.util.Objects;

/** How processes of tests ended. */
final class Results {
    private Results() {}

    /**
     * It has completed, and gives this.
     *
     * @param expected as YAML
     */
    static void assertOutput(String expected, Result result) {
        assertEquals(
                Phase.COMPLETED,
                result.state().phase(),
                () -> String.valueOf(result.state().error()));
        assertEquals(YamlText.of(expected).value(), result.state().output());
    }

    /** The error with which it has failed. */
    static WorkflowError fault(Result result) {
        assertEquals(Phase.FAULTED, result.state().phase());
        return Objects.requireNonNull(result.state().error());
    }
}
