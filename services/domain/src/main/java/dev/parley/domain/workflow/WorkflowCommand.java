package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a process, a router of events or a schedule is told to do. JSON stands in texts. */
public sealed interface WorkflowCommand {
    CommandMeta meta();

    /** Record key of who is told. */
    RecordKey key();

    /** What a process is told. */
    sealed interface ProcessCommand extends WorkflowCommand {
        ProcessRef process();

        @Override
        default RecordKey key() {
            return process().key();
        }
    }

    /**
     * Begin. A process that is there already stays as it is, and is the outcome.
     *
     * @param definitionId id of the definition
     * @param definition its YAML: the process runs by it to its end, whatever becomes of the definition
     * @param instanceId what whoever started it calls it
     * @param input JSON
     * @param business business keys, a JSON object
     * @param parent the call of the process that waits for this one, or null
     * @param origin the process that this one repeats, or null
     * @param schedule key of the schedule that wants to know its end, or null
     * @param from the task of the outermost list that it begins with, JSON: {@code task} its name, {@code input} and {@code context}; null for
     *     the first one
     */
    record StartProcess(
            CommandMeta meta,
            ProcessRef process,
            UUID definitionId,
            String definition,
            String instanceId,
            String input,
            String business,
            @Nullable ParentCall parent,
            @Nullable UUID origin,
            @Nullable RecordKey schedule,
            @Nullable String from)
            implements ProcessCommand {}

    /** Say how you are when you have ended: that is the outcome. */
    record AwaitProcess(CommandMeta meta, ProcessRef process) implements ProcessCommand {}

    /**
     * Stop, pause, go on, or mend what has failed.
     *
     * @param reason of the person who says so
     * @param task name of the task that is tried again or skipped; null for the one that has failed
     * @param value JSON: what a task that is skipped gives, null for its input; or business keys
     */
    record ControlProcess(
            CommandMeta meta,
            ProcessRef process,
            Control control,
            String reason,
            @Nullable String task,
            @Nullable String value)
            implements ProcessCommand {
        /** Stops, pauses, or goes on. */
        public ControlProcess(CommandMeta meta, ProcessRef process, Control control, String reason) {
            this(meta, process, control, reason, null, null);
        }
    }

    /**
     * Do something with a task that waits for a person.
     *
     * @param taskOrder number of the task in its process
     * @param roles of the person, by which a task may be theirs; a leader may do all
     * @param answer JSON; null where nothing is answered
     * @param assignee to whom it goes, or null
     */
    record HandleTask(
            CommandMeta meta,
            ProcessRef process,
            long taskOrder,
            TaskAction action,
            List<String> roles,
            @Nullable String answer,
            @Nullable String assignee,
            @Nullable String comment)
            implements ProcessCommand {
        public HandleTask {
            roles = List.copyOf(roles);
        }
    }

    /**
     * Leave nothing behind: what is under way is stopped, and all that was said of you is taken back.
     *
     * @param events how many events there were, as far as the tables know; there may be more
     */
    record EraseProcess(CommandMeta meta, ProcessRef process, long events) implements ProcessCommand {}

    /**
     * Take this event, if you wait for it.
     *
     * @param key of a process or a schedule
     * @param event as CloudEvents has it in JSON
     */
    record TellEvent(CommandMeta meta, RecordKey key, String event) implements WorkflowCommand {}

    /**
     * Tell events from now on.
     *
     * @param key of the router, see {@link EventRouter}
     * @param subscriber key of a process or a schedule
     */
    record Subscribe(CommandMeta meta, RecordKey key, RecordKey subscriber) implements WorkflowCommand {}

    /**
     * Tell events no more.
     *
     * @param key of the router, see {@link EventRouter}
     * @param subscriber key of a process or a schedule
     */
    record Unsubscribe(CommandMeta meta, RecordKey key, RecordKey subscriber) implements WorkflowCommand {}

    /**
     * An event is there.
     *
     * @param key of the router, see {@link EventRouter}
     * @param event as CloudEvents has it in JSON
     */
    record PublishEvent(CommandMeta meta, RecordKey key, String event) implements WorkflowCommand {}

    /**
     * Start processes by yourself from now on, as the definition's schedule says. The same definition again changes nothing.
     *
     * @param key of the schedule, see {@link WorkflowSchedule}
     * @param definition its YAML
     */
    record SetSchedule(CommandMeta meta, RecordKey key, UUID definitionId, String definition)
            implements WorkflowCommand {}

    /**
     * Start no more processes.
     *
     * @param key of the schedule, see {@link WorkflowSchedule}
     */
    record RemoveSchedule(CommandMeta meta, RecordKey key) implements WorkflowCommand {}

    /**
     * A process that you have started has ended.
     *
     * @param key of the schedule, see {@link WorkflowSchedule}
     */
    record ScheduledEnded(CommandMeta meta, RecordKey key, UUID processId) implements WorkflowCommand {}

    /** What is done with a whole process. */
    enum Control {
        CANCEL,
        SUSPEND,
        RESUME,
        /** A task that has failed begins again, with the same idempotency key. */
        RETRY,
        /** A task ends as if it had given something. */
        SKIP,
        /** Some of its business keys are other ones. */
        SET_KEYS
    }

    /** What a person does with a task. */
    enum TaskAction {
        /** Takes it, so that nobody else does, for some time. */
        CLAIM,
        /** Gives it back. */
        RELEASE,
        /** Gives it to somebody else. */
        DELEGATE,
        /** Answers it. */
        COMPLETE,
        /** Says that nobody will answer it. */
        CANCEL_TASK
    }
}
