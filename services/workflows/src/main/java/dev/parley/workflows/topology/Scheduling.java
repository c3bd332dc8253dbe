package dev.parley.workflows.topology;

import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.workflow.StoredSchedule;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.ScheduledEnded;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.TellEvent;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.ScheduleMachine;
import dev.parley.workflows.process.ScheduleMachine.Scheduled;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The schedules of a partition. Schedules of an archived project are paused; missed starts count as misfires on
 * restore.
 */
final class Scheduling {
    /** Poll interval of schedules of archived projects. */
    private static final Duration ARCHIVED_POLL_INTERVAL = Duration.ofMinutes(1);

    private final WorkflowStore store;
    private final CompiledDefinitions definitions;
    private final Predicate<String> archived;

    /** @param archived whether a project is archived, by its key */
    Scheduling(WorkflowStore store, CompiledDefinitions definitions, Predicate<String> archived) {
        this.archived = archived;
        this.store = store;
        this.definitions = definitions;
    }

    void set(SetSchedule command, EngineContext engine, DecisionWriter writer) {
        String digest = Sha256.hex(command.definition());
        Workflow workflow = definitions.of(digest, command::definition);
        writer.writes().add(store.prepareDefinition(command.key().project(), digest, command.definition()));
        take(
                ScheduleMachine.set(store.schedule(command.key()).orElse(null), command, workflow, digest, engine),
                writer);
    }

    void remove(RemoveSchedule command, EngineContext engine, DecisionWriter writer) {
        take(ScheduleMachine.remove(store.schedule(command.key()).orElse(null), command, engine), writer);
    }

    void onProcessEnded(ScheduledEnded command, EngineContext engine, DecisionWriter writer) {
        decide(
                command.key(),
                writer,
                (schedule, workflow, yaml) ->
                        ScheduleMachine.onProcessEnded(schedule, workflow, yaml, command.processId(), engine));
    }

    void tell(TellEvent command, EngineContext engine, DecisionWriter writer) {
        if (archived.test(command.key().project())) {
            return;
        }
        decide(
                command.key(),
                writer,
                (schedule, workflow, yaml) ->
                        ScheduleMachine.event(schedule, workflow, yaml, JsonText.read(command.event()), engine));
    }

    void tick(RecordKey key, EngineContext engine, DecisionWriter writer) {
        if (archived.test(key.project())) {
            writer.arm(key, engine.now().plus(ARCHIVED_POLL_INTERVAL));
            return;
        }
        decide(key, writer, (schedule, workflow, yaml) -> ScheduleMachine.tick(schedule, workflow, yaml, engine));
    }

    private interface Decision {
        Scheduled about(StoredSchedule schedule, Workflow workflow, String yaml);
    }

    /** Inputs for a removed schedule are ignored. */
    private void decide(RecordKey key, DecisionWriter writer, Decision decision) {
        store.schedule(key).ifPresent(schedule -> {
            String digest = schedule.definition();
            if (digest != null) {
                take(
                        decision.about(
                                schedule, store.definition(key.project(), digest), store.yaml(key.project(), digest)),
                        writer);
            }
        });
    }

    private void take(Scheduled scheduled, DecisionWriter writer) {
        StoredSchedule schedule = scheduled.schedule();
        writer.writes().add(store.prepare(schedule));
        writer.arm(schedule.key(), schedule.due());
        scheduled.commands().forEach(writer::send);
    }
}
