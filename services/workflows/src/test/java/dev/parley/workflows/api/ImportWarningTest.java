package dev.parley.workflows.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Publication;
import dev.parley.workflows.definition.DefinitionReader;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the import of a project's definitions reports. */
class ImportWarningTest {
    private static Optional<String> warning(String schedule, boolean imported) {
        DefinitionRow row = SampleDefinition.row(schedule, imported);
        return WorkflowsPart.warning(new Publication.Published(row, DefinitionReader.read(row.definition()), imported));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schedule: { every: PT1H }",
                "schedule: { cron: '0 9 * * *' }",
                "schedule: { after: PT1M }",
                "schedule: { on: { one: { with: { type: order } } } }"
            })
    void reportsASchedule(String schedule) {
        assertEquals(
                Optional.of("workflow test:flow:1.0.0: its schedule starts when it is published again"),
                warning(schedule, true));
    }

    @Test
    void reportsNothingWithoutAScheduleOrIfItRunsAlready() {
        assertEquals(Optional.empty(), warning("", true));
        assertEquals(Optional.empty(), warning("schedule: { on: { one: { with: { type: order } } } }", false));
    }

    @Test
    void reportsWhatIsLeftOut() {
        assertEquals(
                Optional.of("workflow test:flow:1.0.0: the version exists with different content"),
                WorkflowsPart.warning(new Publication.VersionExists("test:flow:1.0.0")));
        assertEquals(
                Optional.of("workflows: the limit of 7 published versions is reached"),
                WorkflowsPart.warning(new Publication.TooMany(7)));
    }
}
