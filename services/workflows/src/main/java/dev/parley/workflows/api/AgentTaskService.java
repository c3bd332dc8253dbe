package dev.parley.workflows.api;

import dev.parley.domain.Coded;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CallOutcome;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.SettleCall;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ChangeHandoff;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.workflow.WorkflowCommand.TaskAction;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.Settlements;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.view.AgentTasks;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers agents' questions: sends the answer to the session, whose event closes the task. */
@Singleton
final class AgentTaskService {
    private static final long SEND_TIMEOUT_SECONDS = 10;
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_INTERVAL_MILLIS = 50;

    private final ProcessService service;
    private final CommandGateway gateway;
    private final Settlements settlements;

    AgentTaskService(ProcessService service, CommandGateway gateway, Settlements settlements) {
        this.service = service;
        this.gateway = gateway;
        this.settlements = settlements;
    }

    /** Whether a task is an agent's question. */
    static boolean isAgents(Json task) {
        return !task.get("session").isNull();
    }

    /**
     * Answers an agent's task, the only action that it allows. A repeated answer has the same response.
     *
     * @param key idempotency key, or null
     * @return the closed task
     * @throws ApiException 409 if another answer was first; 400 for an invalid answer; 403 without the right to answer
     */
    Json handle(Caller caller, Found task, TaskAction action, Json request, @Nullable String key) {
        if (action != TaskAction.COMPLETE) {
            throw ProcessService.conflict(
                    "agent_task", "An agent's question can only be completed, by its assignee and without a claim");
        }
        caller.require(Capability.SESSION_SEND, task.projectKey());
        String answer = answer(task, request);
        UUID id = key == null ? UUID.randomUUID() : Ids.of("agent task", task.id(), caller.user(), key);
        if (task.json().get("completedAt").isNull()) {
            switch (task.json().get("type").display()) {
                case AgentTasks.APPROVAL ->
                    approve(caller, task, ApprovalAnswer.ofPerson(answer).orElseThrow(), id, note(request));
                case AgentTasks.HANDOFF -> take(caller, task, id, note(request));
                default ->
                    complete(caller, task, Coded.of(CallOutcome.class, answer).orElseThrow(), note(request));
            }
        }
        Json now = awaitEnd(caller, task.id());
        if (!isOwnAnswer(now, answer, caller.user())) {
            throw service.closedConflict(caller, task.id());
        }
        return now;
    }

    private static String answer(Found task, Json request) {
        Json options = task.json().get("question").get("options");
        return request.get("value")
                .text()
                .filter(value -> options.list().contains(Json.of(value)))
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_answer",
                        "'value' is one of "
                                + String.join(
                                        ", ",
                                        options.list().stream()
                                                .map(Json::display)
                                                .toList())));
    }

    private static @Nullable String note(Json request) {
        return request.get("comment").text().orElse(null);
    }

    private static boolean isOwnAnswer(Json task, String answer, String user) {
        return task.get("completedBy").display().equals(user)
                && task.get("result").display().equals(answer);
    }

    private static RecordKey session(Found task) {
        return new RecordKey(task.projectKey(), task.json().get("session").display());
    }

    /** Answers the approval of a call. */
    private void approve(Caller caller, Found task, ApprovalAnswer answer, UUID id, @Nullable String note) {
        caller.requireThere(answer.needs(), task.projectKey());
        RecordKey session = session(task);
        send(session, new DecideApproval(meta(caller, session, id), task.id(), answer, note));
    }

    /** Makes the caller the operator of a conversation. */
    private void take(Caller caller, Found task, UUID id, @Nullable String note) {
        caller.requireThere(Capability.SESSION_READ_ALL, task.projectKey());
        RecordKey session = session(task);
        String reason = note == null ? "" : note;
        String name = caller.person().name();
        send(session, new ChangeHandoff(meta(caller, session, id), Handoff.Step.TAKE, reason, name, null));
    }

    /** Answers an unknown outcome of a call. */
    private void complete(Caller caller, Found task, CallOutcome outcome, @Nullable String note) {
        caller.require(Capability.SESSION_READ_ALL, task.projectKey());
        if (!settlements.send(session(task), new SettleCall(task.id(), caller.host(), outcome, caller.user(), note))) {
            throw ProcessCommands.later("unavailable", "Kafka does not accept commands now");
        }
    }

    /** Waits until the task has ended. */
    private Json awaitEnd(Caller caller, UUID task) {
        long deadline = System.nanoTime() + END_TIMEOUT.toNanos();
        try {
            while (true) {
                Json now = service.task(caller, task, Capability.WORKFLOW_READ).json();
                if (!now.get("completedAt").isNull()) {
                    return now;
                }
                if (System.nanoTime() > deadline) {
                    throw ProcessCommands.later("unavailable", "The session did not answer in time");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProcessCommands.later("unavailable", "This instance is shutting down");
        }
    }

    private CommandMeta meta(Caller caller, RecordKey session, UUID id) {
        var meta = new CommandMeta(id, caller.host(), Instant.now(), caller.user(), null, null)
                .by(Actor.person(caller.user()))
                .toExisting();
        return caller.limited(meta, session.project());
    }

    /** Sends a command and waits until Kafka has it; its result appears in the table. */
    private void send(RecordKey session, TurnCommand command) {
        try (CommandGateway.Ticket ticket = gateway.send(session, command)) {
            ticket.sent().get(SEND_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw ProcessCommands.later("unavailable", "Kafka does not accept commands now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProcessCommands.later("unavailable", "This instance is shutting down");
        }
    }
}
