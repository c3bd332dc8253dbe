package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A command to a workflow process, an event router or a schedule. JSON values are strings. */
public sealed interface WorkflowCommand {
    CommandMeta meta();

    /** Record key of the recipient. */
    RecordKey key();

    /** A command to a workflow process. */
    sealed interface ProcessCommand extends WorkflowCommand {
        ProcessRef process();

        @Override
        default RecordKey key() {
            return process().key();
        }
    }

    /**
     * Starts a process. An existing process stays unchanged, and its status is the outcome.
     *
     * @param definitionId id of the definition
     * @param definition its YAML, used until the end of the process, even if the definition changes
     * @param instanceId id chosen by the caller
     * @param input JSON
     * @param business business keys, a JSON object
     * @param parent the waiting parent call, or null
     * @param origin the process that this one repeats, or null
     * @param schedule key of the schedule to inform of its end, or null
     * @param from the top-level task to start with, JSON: {@code task} its name, {@code input} and {@code context};
     *     null for the first one
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

    /** Waits for the end of a process, whose status is the outcome. */
    record AwaitProcess(CommandMeta meta, ProcessRef process) implements ProcessCommand {}

    /**
     * Cancels, suspends, resumes or repairs a process.
     *
     * @param reason given by the user
     * @param task name of the task to retry or skip; null for the failed one
     * @param value JSON: output of a skipped task, null for its input; or business keys
     */
    record ControlProcess(
            CommandMeta meta,
            ProcessRef process,
            Control control,
            String reason,
            @Nullable String task,
            @Nullable String value)
            implements ProcessCommand {
        /** Cancels, suspends or resumes. */
        public ControlProcess(CommandMeta meta, ProcessRef process, Control control, String reason) {
            this(meta, process, control, reason, null, null);
        }
    }

    /**
     * Performs an action on a human task.
     *
     * @param taskOrder number of the task in its process
     * @param roles of the user, for which tasks may be assigned; a leader may perform all actions
     * @param answer JSON; null without an answer
     * @param assignee to delegate to, or null
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
     * Erases a process: cancels what is in progress, and removes its data.
     *
     * @param events number of events known to the tables; there may be more
     */
    record EraseProcess(CommandMeta meta, ProcessRef process, long events) implements ProcessCommand {}

    /**
     * Delivers an event to a subscriber.
     *
     * @param key of a process or a schedule
     * @param event CloudEvents JSON
     */
    record TellEvent(CommandMeta meta, RecordKey key, String event) implements WorkflowCommand {}

    /**
     * Subscribes to events.
     *
     * @param key of the router, see {@link EventRouter}
     * @param subscriber key of a process or a schedule
     */
    record Subscribe(CommandMeta meta, RecordKey key, RecordKey subscriber) implements WorkflowCommand {}

    /**
     * Unsubscribes from events.
     *
     * @param key of the router, see {@link EventRouter}
     * @param subscriber key of a process or a schedule
     */
    record Unsubscribe(CommandMeta meta, RecordKey key, RecordKey subscriber) implements WorkflowCommand {}

    /**
     * Publishes an event to a router.
     *
     * @param key of the router, see {@link EventRouter}
     * @param event CloudEvents JSON
     */
    record PublishEvent(CommandMeta meta, RecordKey key, String event) implements WorkflowCommand {}

    /**
     * Sets a schedule, which starts processes as its definition says. Setting the same definition again starts nothing.
     *
     * @param meta with the user in whose name processes are started: the publisher of the definition
     * @param key of the schedule, see {@link WorkflowSchedule}
     * @param definition its YAML
     * @param revision of the versions of the workflow; a command with a lower one than the schedule's has no effect
     */
    record SetSchedule(CommandMeta meta, RecordKey key, UUID definitionId, String definition, long revision)
            implements WorkflowCommand {}

    /**
     * Removes a schedule.
     *
     * @param key of the schedule, see {@link WorkflowSchedule}
     * @param revision as in {@link SetSchedule}; {@link Long#MAX_VALUE} removes it for good
     */
    record RemoveSchedule(CommandMeta meta, RecordKey key, long revision) implements WorkflowCommand {}

    /**
     * A process started by a schedule has ended.
     *
     * @param key of the schedule, see {@link WorkflowSchedule}
     */
    record ScheduledEnded(CommandMeta meta, RecordKey key, UUID processId) implements WorkflowCommand {}

    /** Actions on a process. */
    enum Control {
        CANCEL,
        SUSPEND,
        RESUME,
        /** Retries a failed task with the same idempotency key. */
        RETRY,
        /** Ends a task with a given output. */
        SKIP,
        /** Changes business keys. */
        SET_KEYS
    }

    /** Actions on a human task. */
    enum TaskAction {
        /** Claims the task exclusively, for a limited time. */
        CLAIM,
        /** Releases the claim. */
        RELEASE,
        /** Delegates the task to another user. */
        DELEGATE,
        /** Answers the task. */
        COMPLETE,
        /** Cancels the task without an answer. */
        CANCEL_TASK
    }
}
