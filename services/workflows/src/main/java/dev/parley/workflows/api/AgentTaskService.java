package dev.parley.workflows.api;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.DecideApproval;
import dev.parley.domain.workflow.WorkflowCommand.TaskAction;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.api.ProcessQueries.Found;
import dev.parley.workflows.json.Json;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers what agents ask: the session that asks is told, and its event closes the task. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
final class AgentTaskService {
    private static final long DECIDED_SECONDS = 10;

    private final ProcessService service;
    private final CommandGateway gateway;

    AgentTaskService(ProcessService service, CommandGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    /** Whether it is an agent that asks, and not a process. */
    static boolean isAgents(Json task) {
        return !task.get("session").isNull();
    }

    /**
     * Does something with a task of an agent. It is answered, and nothing else.
     *
     * @param key of whoever may send the same again
     * @return the task as it is then
     * @throws ApiException 409 where somebody else was first; 400 where the answer is none; 403 where it is not the caller's to give
     */
    Json handle(Caller caller, Found task, TaskAction action, Json request, @Nullable String key) {
        if (action != TaskAction.COMPLETE) {
            throw ProcessService.conflict(
                    "agent_task",
                    "An agent asks this: whoever it is for answers with complete, without a claim before");
        }
        ApprovalAnswer answer = answer(task, request);
        caller.require(Capability.SESSION_SEND, task.projectKey());
        if (answer.needs().inProject()) {
            caller.require(answer.needs(), task.projectKey());
        } else {
            caller.require(answer.needs());
        }
        var session =
                new RecordKey(task.projectKey(), task.json().get("session").display());
        UUID id = key == null ? UUID.randomUUID() : Ids.of("agent task", task.id(), caller.user(), key);
        Optional<Outcome> outcome = outcome(session, new DecideApproval(meta(caller, session, id), task.id(), answer));
        service.freshenTasks(true);
        Json now = service.task(caller, task.id(), Capability.WORKFLOW_READ).json();
        boolean refused = outcome.filter(Outcome.Refused.class::isInstance).isPresent();
        boolean same = now.get("completedBy").display().equals(caller.user())
                && now.get("result").display().equals(answer.code());
        if (refused && !(key != null && same)) {
            throw service.closed(caller, task.id());
        }
        return now;
    }

    private static ApprovalAnswer answer(Found task, Json request) {
        Json options = task.json().get("question").get("options");
        return request.get("value")
                .text()
                .filter(value -> options.list().contains(Json.of(value)))
                .flatMap(ApprovalAnswer::given)
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_answer",
                        "'value' is one of "
                                + String.join(
                                        ", ",
                                        options.list().stream()
                                                .map(Json::display)
                                                .toList())));
    }

    private CommandMeta meta(Caller caller, RecordKey session, UUID id) {
        var meta = new CommandMeta(id, caller.host(), Instant.now(), caller.user(), gateway.outcomePartition(), null)
                .toExisting();
        return caller.readsAll(session.project()) ? meta : meta.limited();
    }

    private Optional<Outcome> outcome(RecordKey session, TurnCommand command) {
        try (CommandGateway.Ticket ticket = gateway.give(session, command)) {
            ticket.sent().get(DECIDED_SECONDS, TimeUnit.SECONDS);
            return gateway.outcomePartition() == null
                    ? Optional.empty()
                    : Optional.of(ticket.outcome().get(DECIDED_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw ProcessCommands.later("unavailable", "The session does not answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProcessCommands.later("unavailable", "This instance stops");
        }
    }
}
