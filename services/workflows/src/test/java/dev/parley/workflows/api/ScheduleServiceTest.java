package dev.parley.workflows.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Newest;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ScheduleServiceTest {
    private static final RecordKey KEY = WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow");
    private static final CommandMeta META =
            new CommandMeta(UUID.randomUUID(), Ids.of("host", "default"), Instant.EPOCH, "ann", 0, null);

    @Test
    void newestVersionIsScheduledInTheNameOfItsPublisher() {
        var row = SampleDefinition.row("schedule: { every: PT1H }", false);
        var newest = new Newest(row, 7);

        assertEquals(
                new SetSchedule(META, KEY, row.wfDefId(), row.definition(), 7),
                ScheduleService.command(META, KEY, newest));
        assertEquals(SampleDefinition.PUBLISHER, ScheduleService.publisher(newest));
    }

    @Test
    void newestVersionWithoutAScheduleRemovesIt() {
        var newest = new Newest(SampleDefinition.row("", false), 7);

        assertEquals(new RemoveSchedule(META, KEY, 7), ScheduleService.command(META, KEY, newest));
    }

    @Test
    void deletionOfAllVersionsRemovesTheSchedule() {
        var newest = new Newest(null, 7);

        assertEquals(new RemoveSchedule(META, KEY, 7), ScheduleService.command(META, KEY, newest));
        assertNull(ScheduleService.publisher(newest));
    }
}
