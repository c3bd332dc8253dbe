package dev.parley.workflows.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.StoredSchedule;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowCommand.Subscribe;
import dev.parley.domain.workflow.WorkflowCommand.Unsubscribe;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.process.ScheduleMachine.Scheduled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands to a schedule take effect by their revision, in whichever order they arrive. */
class ScheduleMachineTest {
    private static final UUID HOST = Ids.of("host", "default");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final EngineContext ENGINE = new EngineContext(NOW, "test");
    private static final RecordKey KEY = WorkflowSchedule.key(RecordKey.DEFAULT_PROJECT, "test", "flow");
    private static final String AFTER = "schedule: { after: PT1M }";
    private static final String DAILY = "schedule: { cron: '0 9 * * *' }";
    private static final String ON_ORDER = "schedule: { on: { one: { with: { type: order } } } }";

    private static UUID id(String version) {
        return Ids.of("definition", version);
    }

    private static CommandMeta meta(@Nullable String user) {
        return new CommandMeta(UUID.randomUUID(), HOST, NOW, user, 0, null);
    }

    private static SetSchedule set(String version, String schedule, String publisher, long revision) {
        String yaml = """
                document: { dsl: '1.0.3', namespace: test, name: flow, version: '%s' }
                %s
                do: [ { one: { set: { n: 1 } } } ]
                """.formatted(version, schedule);
        return new SetSchedule(meta(publisher), KEY, id(version), yaml, revision);
    }

    private static RemoveSchedule remove(long revision) {
        return new RemoveSchedule(meta(null), KEY, revision);
    }

    private static Scheduled apply(@Nullable StoredSchedule existing, WorkflowCommand command) {
        return switch (command) {
            case SetSchedule set -> {
                String yaml = set.definition();
                yield ScheduleMachine.set(existing, set, DefinitionReader.read(yaml), Sha256.hex(yaml), ENGINE);
            }
            case RemoveSchedule remove -> ScheduleMachine.remove(existing, remove, ENGINE);
            default -> throw new IllegalArgumentException(command.toString());
        };
    }

    private static StoredSchedule after(WorkflowCommand... commands) {
        StoredSchedule schedule = null;
        for (WorkflowCommand command : commands) {
            schedule = apply(schedule, command).schedule();
        }
        return schedule;
    }

    private static List<StartProcess> starts(Scheduled scheduled) {
        return scheduled.commands().stream()
                .filter(StartProcess.class::isInstance)
                .map(StartProcess.class::cast)
                .toList();
    }

    /** All orders of four changes: two versions, their deletion, and a third version. */
    static Stream<List<WorkflowCommand>> orders() {
        List<WorkflowCommand> commands = List.of(
                set("1.0.0", AFTER, "ann", 1),
                set("2.0.0", AFTER, "bob", 2),
                remove(3),
                set("3.0.0", AFTER, "cleo", 4));
        var orders = new ArrayList<List<WorkflowCommand>>();
        permute(commands, List.of(), orders);
        return orders.stream();
    }

    private static void permute(
            List<WorkflowCommand> rest, List<WorkflowCommand> begun, List<List<WorkflowCommand>> orders) {
        if (rest.isEmpty()) {
            orders.add(begun);
        }
        for (WorkflowCommand next : rest) {
            var remaining = new ArrayList<>(rest);
            remaining.remove(next);
            var longer = new ArrayList<>(begun);
            longer.add(next);
            permute(remaining, longer, orders);
        }
    }

    @ParameterizedTest
    @MethodSource("orders")
    void newestVersionWinsInAnyOrder(List<WorkflowCommand> order) {
        // When
        StoredSchedule schedule = null;
        var started = new ArrayList<StartProcess>();
        for (WorkflowCommand command : order) {
            Scheduled scheduled = apply(schedule, command);
            schedule = scheduled.schedule();
            started.addAll(starts(scheduled));
        }

        // Then
        StartProcess last = started.getLast();
        assertEquals(id("3.0.0"), schedule.definitionId());
        assertEquals(4, schedule.revision());
        assertEquals("cleo", schedule.user());
        assertEquals(id("3.0.0"), last.definitionId());
        assertEquals("cleo", last.meta().user());
        assertEquals(last.process().id(), schedule.running());
        assertEquals(
                started.stream().map(start -> start.meta().user()).sorted().toList(),
                started.stream().map(start -> start.meta().user()).toList(),
                "an older version started after a newer one");
    }

    @Test
    void overtakenVersionStartsNothing() {
        StoredSchedule newest = after(set("2.0.0", AFTER, "bob", 2));

        Scheduled scheduled = apply(newest, set("1.0.0", AFTER, "ann", 1));

        assertEquals(new Scheduled(newest, List.of()), scheduled);
    }

    @Test
    void removedScheduleIsNotStartedByAnEarlierCommand() {
        StoredSchedule removed = after(remove(2));

        Scheduled scheduled = apply(removed, set("1.0.0", AFTER, "ann", 1));

        assertNull(removed.definition());
        assertEquals(new Scheduled(removed, List.of()), scheduled);
    }

    @Test
    void earlierRemovalIsIgnored() {
        StoredSchedule newest = after(set("2.0.0", AFTER, "bob", 2));

        assertEquals(new Scheduled(newest, List.of()), apply(newest, remove(1)));
    }

    @Test
    void scheduleRemovedForGoodNeverReturns() {
        StoredSchedule removed = after(set("1.0.0", AFTER, "ann", 1), remove(Long.MAX_VALUE));

        assertEquals(new Scheduled(removed, List.of()), apply(removed, set("2.0.0", AFTER, "bob", 2)));
    }

    @Test
    void deletedVersionStartsAgainWhenItIsRestored() {
        StoredSchedule removed = after(set("1.0.0", AFTER, "ann", 1), remove(2));

        List<StartProcess> started = starts(apply(removed, set("1.0.0", AFTER, "bob", 3)));

        assertEquals(
                List.of("bob"),
                started.stream().map(start -> start.meta().user()).toList());
    }

    @Test
    void sameVersionAgainStartsNothingAndRunsInTheNameOfItsPublisher() {
        StoredSchedule running = after(set("1.0.0", AFTER, "ann", 1));

        Scheduled scheduled = apply(running, set("1.0.0", AFTER, "bob", 3));

        assertEquals(List.of(), scheduled.commands());
        assertEquals(running.running(), scheduled.schedule().running());
        assertEquals("bob", scheduled.schedule().user());
        assertEquals(3, scheduled.schedule().revision());
    }

    @Test
    void firstStartOfANewerVersionIsItsOwnInTheSameMoment() {
        StoredSchedule older = after(set("1.0.0", AFTER, "ann", 1));

        StoredSchedule newer = apply(older, set("2.0.0", AFTER, "bob", 2)).schedule();

        assertNotEquals(older.running(), newer.running());
    }

    @Test
    void replacedAndRemovedSchedulesUnsubscribe() {
        // Given
        RecordKey router = EventRouter.key(RecordKey.DEFAULT_PROJECT, "order");
        Scheduled listening = apply(null, set("1.0.0", ON_ORDER, "ann", 1));
        assertEquals(
                List.of(router),
                listening.commands().stream()
                        .map(Subscribe.class::cast)
                        .map(Subscribe::key)
                        .toList());

        // When
        Scheduled replaced = apply(listening.schedule(), set("2.0.0", DAILY, "bob", 2));
        Scheduled removed = apply(listening.schedule(), remove(2));

        // Then
        for (Scheduled scheduled : List.of(replaced, removed)) {
            assertEquals(
                    List.of(router),
                    scheduled.commands().stream()
                            .map(Unsubscribe.class::cast)
                            .map(Unsubscribe::key)
                            .toList());
            assertEquals(List.of(), scheduled.schedule().types());
            assertNull(scheduled.schedule().trigger());
        }
    }
}
