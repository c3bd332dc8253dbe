package dev.parley.workflows.api;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.json.JsonBoundsException;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.AuditComment;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.WaitParameter;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.process.BusinessKeys;
import dev.parley.workflows.view.ViewFreshness;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Starts and looks up processes for the controllers and for agents' tools. */
@Singleton
public final class ProcessService {
    private static final int MAX_INSTANCE_LENGTH = 126;
    private static final int MAX_INPUT_WEIGHT = 1_000_000;
    private static final Set<String> FIELDS = Set.of("input", "instanceId", "business");
    private static final List<String> COMMENTS = List.of("reason", "comment");

    private final WorkflowCatalogue definitions;
    private final ProcessCommands commands;
    private final ProcessQueries processes;
    private final ViewFreshness freshness;

    ProcessService(
            WorkflowCatalogue definitions,
            ProcessCommands commands,
            ProcessQueries processes,
            ViewFreshness freshness) {
        this.definitions = definitions;
        this.commands = commands;
        this.processes = processes;
        this.freshness = freshness;
    }

    /**
     * Starts a process.
     *
     * @param project key of the project, null for the default one
     * @param reference of the definition; see {@link WorkflowCatalogue#find}
     * @param body JSON of {@code input}, {@code instanceId} and {@code business}; null or empty for none
     * @param wait maximum wait for the end, or null
     * @param key idempotency key: repeated starts with it start one process
     */
    public HttpResponse<String> start(
            Caller caller,
            @Nullable String project,
            String reference,
            @Nullable String body,
            @Nullable String wait,
            @Nullable String key) {
        Project in = caller.require(Capability.WORKFLOW_RUN, project);
        Optional<Duration> timeout = WaitParameter.parse(wait);
        DefinitionRow definition = definitions
                .find(new WorkflowCatalogue.Scope(caller.host(), in.project()), reference)
                .orElseThrow(() -> unknownWorkflow(reference));
        Json request = request(body);
        Json business = business(request);
        String instance = request.get("instanceId").text().orElse(null);
        var ref = new ProcessRef(caller.host(), in.projectKey(), processId(caller, in, definition, instance, key));
        Json started = start(caller, ref, definition, request, business);
        Optional<Json> end =
                timeout.flatMap(time -> isFinal(started) ? Optional.of(started) : commands.end(caller, ref, time));
        return end.isPresent()
                ? HttpResponse.ok(end.get().toString())
                : HttpResponse.accepted().body(started.toString());
    }

    private Json start(Caller caller, ProcessRef ref, DefinitionRow definition, Json request, Json business) {
        Json input = request.get("input").isNull() ? Values.EMPTY_OBJECT : request.get("input");
        return commands.send(
                caller,
                meta -> new StartProcess(
                        meta,
                        ref,
                        definition.wfDefId(),
                        definition.definition(),
                        request.get("instanceId").text().orElse(ref.id().toString()),
                        input.toString(),
                        business.toString(),
                        null,
                        null,
                        null,
                        null));
    }

    private static boolean isFinal(Json process) {
        return Set.of("C", "F", "X").contains(process.get("status").display());
    }

    private static Json request(@Nullable String body) {
        Json request = object(body, FIELDS);
        if (request.get("input").weight() > MAX_INPUT_WEIGHT) {
            throw ApiException.tooLarge("'input' has at most %,d characters and values".formatted(MAX_INPUT_WEIGHT));
        }
        Json instance = request.get("instanceId");
        if (!instance.isNull()
                && instance.text()
                        .filter(text -> !text.isBlank() && text.length() <= MAX_INSTANCE_LENGTH)
                        .isEmpty()) {
            throw ApiException.badRequest(
                    "invalid_instance_id", "'instanceId' is a text of 1 to " + MAX_INSTANCE_LENGTH + " characters");
        }
        return request;
    }

    /**
     * The business keys of a request.
     *
     * @throws ApiException 400 if they are invalid
     */
    static Json business(Json request) {
        Json keys = request.get("business");
        List<String> wrong = BusinessKeys.errors(keys);
        if (!wrong.isEmpty()) {
            throw ApiException.badRequest("invalid_business", String.join("; ", wrong));
        }
        return keys.isNull() ? Values.EMPTY_OBJECT : keys;
    }

    /** Parses an optional body: an object with these fields only. Its reason or comment is that of the audit log. */
    static Json object(@Nullable String body, Set<String> fields) {
        Json read = body == null || body.isBlank() ? Values.NULL : json(body);
        Json object = read.isNull() ? Values.EMPTY_OBJECT : read;
        if (!(object instanceof Json.Obj)) {
            throw ApiException.badRequest(
                    "invalid_body", "The body is an object with " + String.join(", ", new TreeSet<>(fields)));
        }
        object.map().keySet().stream()
                .filter(name -> !fields.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw ApiException.badRequest("unknown_field", "Unknown field '" + name + "'");
                });
        for (String field : COMMENTS) {
            Json comment = object.get(field);
            if (!comment.isNull() && comment.text().isEmpty()) {
                throw ApiException.badRequest("invalid_" + field, "'" + field + "' must be a text");
            }
            AuditComment.of(field, comment.text().orElse(null));
        }
        return object;
    }

    static Json json(String body) {
        try {
            return JsonText.readRequest(body);
        } catch (JsonBoundsException e) {
            throw ApiException.badRequest(e.code(), "The body is too large: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("invalid_json", "The body cannot be read: " + e.getMessage());
        }
    }

    private static UUID processId(
            Caller caller, Project project, DefinitionRow definition, @Nullable String instance, @Nullable String key) {
        if (instance != null) {
            String name = definition.namespace() + ":" + definition.name();
            return Ids.of("process", project.project(), name, instance);
        }
        if (key == null) {
            return UUID.randomUUID();
        }
        if (key.isBlank() || key.length() > 200) {
            throw ApiException.badRequest("invalid_idempotency_key", "An Idempotency-Key has 1 to 200 characters");
        }
        return Ids.of("process of a key", project.project(), caller.user(), key);
    }

    static ApiException unknownWorkflow(String reference) {
        return ApiException.notFound("unknown_workflow", "There is no workflow '" + reference + "'");
    }

    /**
     * A process that the caller can read.
     *
     * @param capability required for the request
     * @throws ApiException 404 if the caller can read no such process; 403 without the capability
     */
    Found process(Caller caller, UUID id, Capability capability) {
        Found found = freshness
                .eventually(() -> processes.process(caller.tenant(), id))
                .filter(process -> caller.may(Capability.WORKFLOW_READ, process.projectKey()))
                .orElseThrow(() -> ApiException.notFound("unknown_process", "There is no such process"));
        caller.require(capability, found.projectKey());
        return found;
    }

    /** A task that the caller can read. */
    Found task(Caller caller, UUID id, Capability capability) {
        Found found = freshness
                .eventually(() -> processes.task(caller.tenant(), id))
                .filter(task -> caller.may(Capability.WORKFLOW_READ, task.projectKey()) && isShownTo(caller, task))
                .orElseThrow(() -> ApiException.notFound("unknown_task", "There is no such task"));
        caller.require(capability, found.projectKey());
        return found;
    }

    /** Agents' questions are visible to their assignees only. */
    private static boolean isShownTo(Caller caller, Found task) {
        return !AgentTaskService.isAgents(task.json())
                || task.json().get("assignments").list().stream()
                        .map(assignment -> assignment.get("assignee").display())
                        .anyMatch(reader(caller, task.projectKey())::contains);
    }

    /** Ids of the caller as an assignee: their own, and the project's leaders if they can read all sessions. */
    static List<String> reader(Caller caller, String projectKey) {
        return caller.readsAll(projectKey)
                ? List.of(caller.user(), Assignee.role(HumanTask.LEADER))
                : List.of(caller.user());
    }

    /** A 409 for a closed task, with the user and the time of the answer. */
    ApiException closedConflict(Caller caller, UUID id) {
        freshenTasks(true);
        Json task = task(caller, id, Capability.WORKFLOW_READ).json();
        String closure = task.get("completedBy")
                .text()
                .map(user -> "answered by " + user)
                .orElse("closed");
        return conflict(
                "task_closed",
                "The task is " + task.get("phase").display() + ": it was " + closure + " at "
                        + task.get("completedAt").display());
    }

    /**
     * The definition of a process.
     *
     * @throws ApiException 409 if it was deleted
     */
    DefinitionRow definition(Caller caller, Found found) {
        String id = found.json().get("definitionId").display();
        Project in = caller.require(Capability.WORKFLOW_READ, found.projectKey());
        return definitions
                .find(new WorkflowCatalogue.Scope(caller.host(), in.project()), id)
                .orElseThrow(() -> conflict("definition_deleted", "The definition of this process has been deleted"));
    }

    /**
     * A process that the caller can read, as JSON.
     *
     * @throws ApiException 404 if there is none
     */
    public Json processJson(Caller caller, UUID id) {
        return process(caller, id, Capability.WORKFLOW_READ).json();
    }

    /** Waits until the tables include all earlier events, if requested. */
    void freshen(@Nullable Boolean fresh) {
        if (Boolean.TRUE.equals(fresh)) {
            freshness.await();
        }
    }

    /** Waits, if requested, until the tables of workflow tasks and agents' tasks have all earlier events. */
    void freshenTasks(@Nullable Boolean fresh) {
        if (Boolean.TRUE.equals(fresh)) {
            freshness.await();
            freshness.awaitAgentTasks();
        }
    }

    /** The reference of a process. */
    static ProcessRef ref(Caller caller, Found process) {
        return new ProcessRef(caller.host(), process.projectKey(), process.id());
    }

    /**
     * A page of JSON values.
     *
     * @param next cursor of the next page, or null
     */
    static String page(List<Json> rows, @Nullable String next) {
        return Json.of("data", Json.of(rows)).with("next", Json.textOf(next)).toString();
    }

    /** A 409: the process or task is in the wrong state. */
    static ApiException conflict(String code, String message) {
        return new ApiException(HttpStatus.CONFLICT, code, message);
    }
}
