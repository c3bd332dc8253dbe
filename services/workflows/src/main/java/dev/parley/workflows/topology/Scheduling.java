package dev.parley.workflows.topology;

import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.workflow.StoredSchedule;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.ScheduledEnded;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.TellEvent;
import dev.parley.platform.streams.Timers;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.ScheduleMachine;
import dev.parley.workflows.process.ScheduleMachine.Scheduled;
import java.time.Duration;
import java.util.function.Consumer;
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
    private final Timers timers;
    private final Predicate<String> archived;
    private final Consumer<WorkflowCommand> sender;

    /** @param archived whether a project is archived, by its key */
    Scheduling(
            WorkflowStore store,
            CompiledDefinitions definitions,
            Timers timers,
            Predicate<String> archived,
            Consumer<WorkflowCommand> sender) {
        this.archived = archived;
        this.store = store;
        this.definitions = definitions;
        this.timers = timers;
        this.sender = sender;
    }

    void set(SetSchedule command, EngineContext engine) {
        String digest = Sha256.hex(command.definition());
        Workflow workflow = definitions.of(digest, command::definition);
        store.putDefinition(command.key().project(), digest, command.definition());
        take(ScheduleMachine.set(store.schedule(command.key()).orElse(null), command, workflow, digest, engine));
    }

    void remove(RemoveSchedule command, EngineContext engine) {
        take(ScheduleMachine.remove(store.schedule(command.key()).orElse(null), command, engine));
    }

    void onProcessEnded(ScheduledEnded command, EngineContext engine) {
        decide(
                command.key(),
                (schedule, workflow, yaml) ->
                        take(ScheduleMachine.onProcessEnded(schedule, workflow, yaml, command.processId(), engine)));
    }

    void tell(TellEvent command, EngineContext engine) {
        if (archived.test(command.key().project())) {
            return;
        }
        decide(
                command.key(),
                (schedule, workflow, yaml) ->
                        take(ScheduleMachine.event(schedule, workflow, yaml, JsonText.read(command.event()), engine)));
    }

    void tick(RecordKey key, EngineContext engine) {
        if (archived.test(key.project())) {
            timers.arm(key, engine.now().plus(ARCHIVED_POLL_INTERVAL));
            return;
        }
        decide(key, (schedule, workflow, yaml) -> take(ScheduleMachine.tick(schedule, workflow, yaml, engine)));
    }

    private interface Decision {
        void about(StoredSchedule schedule, Workflow workflow, String yaml);
    }

    /** Inputs for a removed schedule are ignored. */
    private void decide(RecordKey key, Decision decision) {
        store.schedule(key).ifPresent(schedule -> {
            String digest = schedule.definition();
            if (digest != null) {
                decision.about(schedule, store.definition(key.project(), digest), store.yaml(key.project(), digest));
            }
        });
    }

    private void take(Scheduled scheduled) {
        StoredSchedule schedule = scheduled.schedule();
        store.put(schedule);
        if (schedule.due() != null) {
            timers.arm(schedule.key(), schedule.due());
        }
        scheduled.commands().forEach(sender);
    }
}
