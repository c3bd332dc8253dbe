package dev.parley.workflows.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.workflow.Phase;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowEvent.ProcessChanged;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.WaitParameter;
import dev.parley.workflows.api.ProcessQueries.ProcessFilter;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.diagram.Mermaid;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.view.ProcessEvents;
import dev.parley.workflows.view.ProcessHub;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** Routes that start, list and show processes. */
@Controller("/v1/processes")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Processes", description = "Instances of workflows.")
class ProcessController {
    private static final int MAX_TASKS = 1_000;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final ProcessService service;
    private final ProcessQueries processes;
    private final ProcessCommands commands;
    private final ProcessHub hub;

    ProcessController(ProcessService service, ProcessQueries processes, ProcessCommands commands, ProcessHub hub) {
        this.hub = hub;
        this.service = service;
        this.processes = processes;
        this.commands = commands;
    }

    /**
     * List processes. Processes of a project, newest first. Business keys are also filters, such as partyId=7 or
     * price=12.34; times have ranges, such as eventStartFrom and eventStartTo.
     *
     * @param project Key of the project. Defaults to the default project.
     * @param status A letter or a word: U (pending), A (running), W (waiting), S (suspended), C (completed), F
     *     (faulted) or X (cancelled).
     * @param phase The same as status.
     * @param definition Workflow definition: an id, namespace:name or namespace:name:version.
     * @param overdue If true, lists only processes whose deadline has passed.
     * @param from Earliest start time, inclusive.
     * @param to Latest start time, exclusive.
     * @param fresh If true, waits until the result includes all earlier changes.
     * @param data If false, omits input, context and output, which can be long.
     * @return A page of processes: {data, next}.
     */
    @Get
    @Authenticated
    @Operation(operationId = "listProcesses")
    String list(
            @Nullable @QueryValue String project,
            @Nullable @QueryValue String status,
            @Nullable @QueryValue String phase,
            @Nullable @QueryValue String definition,
            @Nullable @QueryValue UUID parentId,
            @Nullable @QueryValue String instanceId,
            @Nullable @QueryValue Boolean overdue,
            @Nullable @QueryValue Instant from,
            @Nullable @QueryValue Instant to,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Boolean data,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            HttpRequest<?> request,
            Caller caller) {
        Project in = caller.require(Capability.WORKFLOW_READ, project);
        int pageSize = Cursor.limit(limit);
        var keys = BusinessFilters.of(request.getParameters());
        var filter = new ProcessFilter(
                phase("status", status),
                phase("phase", phase),
                definition,
                parentId,
                instanceId,
                Boolean.TRUE.equals(overdue),
                from,
                to,
                keys.equal(),
                keys.times());
        service.freshen(fresh);
        List<Found> rows =
                processes.processes(caller.tenant(), in.project(), filter, Cursor.parse(cursor), pageSize + 1);
        return page(rows, pageSize, ProcessController.rowForm(data));
    }

    private static @Nullable Phase phase(String parameter, @Nullable String text) {
        if (text == null) {
            return null;
        }
        return Phase.of(text)
                .orElseThrow(() -> ApiException.badRequest(
                        "invalid_" + parameter,
                        Stream.of(Phase.values())
                                .map(phase -> phase.specificationName() + " (" + phase.letter() + ")")
                                .collect(Collectors.joining(", ", "A '" + parameter + "' is one of ", ""))));
    }

    /**
     * The form of listed rows.
     *
     * @param data false omits their data
     */
    private static UnaryOperator<Json> rowForm(@Nullable Boolean data) {
        return Boolean.FALSE.equals(data) ? ProcessData::without : UnaryOperator.identity();
    }

    static String page(List<Found> rows, int limit) {
        return page(rows, limit, UnaryOperator.identity());
    }

    private static String page(List<Found> rows, int limit, UnaryOperator<Json> shape) {
        List<Json> shaped =
                rows.stream().limit(limit).map(row -> shape.apply(row.json())).toList();
        List<Json> page = Page.fitting(shaped, json -> json.toString().length());
        Found last = page.size() < rows.size() ? rows.get(page.size() - 1) : null;
        return ProcessService.page(page, last == null ? null : Cursor.of(last.startedAt(), last.id()));
    }

    /**
     * Get a process. next describes what the process waits for. With wait, the response is sent when the process ends
     * or the time has passed.
     *
     * @param wait Maximum time to wait for the end of the process, such as 30s; at most 10m.
     * @param fresh If true, waits until the result includes all earlier changes.
     * @return The process.
     */
    @Get("/{id}")
    @Authenticated
    @Operation(operationId = "getProcess")
    String get(
            @PathVariable UUID id,
            @Nullable @QueryValue String wait,
            @Nullable @QueryValue Boolean fresh,
            Caller caller) {
        service.freshen(fresh);
        Optional<Duration> timeout = WaitParameter.parse(wait);
        Found found = service.process(caller, id, Capability.WORKFLOW_READ);
        if (timeout.isPresent() && hasEnded(found)) { // a faulted process may have been retried since
            service.freshen(true);
            found = service.process(caller, id, Capability.WORKFLOW_READ);
        }
        if (timeout.isEmpty() || hasEnded(found)) {
            return found.json().toString();
        }
        return commands.end(caller, ProcessService.ref(caller, found), timeout.get())
                .orElse(found.json())
                .toString();
    }

    private static boolean hasEnded(Found process) {
        return !process.json().get("completedAt").isNull();
    }

    /**
     * List the tasks of a process. Ordered by start, or latest first with order=desc. Each run and each attempt of a
     * task is a separate entry.
     *
     * @param fresh If true, waits until the result includes all earlier changes.
     * @param data If false, omits input, context and output, which can be long.
     * @param order Sort order: asc or desc. Defaults to asc.
     * @return A page of tasks: {data, next}.
     */
    @Get("/{id}/tasks")
    @Authenticated
    @Operation(operationId = "listProcessTasks")
    String tasks(
            @PathVariable UUID id,
            @Nullable @QueryValue Boolean fresh,
            @Nullable @QueryValue Boolean data,
            @Nullable @QueryValue String order,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        service.freshen(fresh);
        service.process(caller, id, Capability.WORKFLOW_READ);
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        boolean isLastFirst = isLastFirst(order);
        long start = after != null ? after.firstNumber() : isLastFirst ? Long.MAX_VALUE : 0;
        List<Json> rows = isLastFirst
                ? processes.lastTasks(caller.tenant(), id, start, pageSize + 1)
                : processes.tasks(caller.tenant(), id, start, pageSize + 1);
        List<Json> page = rows.size() > pageSize ? rows.subList(0, pageSize) : rows;
        String next = rows.size() > pageSize ? Cursor.of(page.getLast().get("order"), id) : null;
        return ProcessService.page(page.stream().map(rowForm(data)).toList(), next);
    }

    private static boolean isLastFirst(@Nullable String order) {
        if (order != null && !order.equals("asc") && !order.equals("desc")) {
            throw ApiException.badRequest("invalid_order", "An 'order' is asc or desc");
        }
        return "desc".equals(order);
    }

    /**
     * Stream a process's events. Starts with an event named process that contains the current process, followed by
     * CloudEvents; the stream ends with the process. After a disconnect, the stream starts over.
     *
     * @return The stream of events.
     */
    @Get("/{id}/events")
    @Authenticated
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @Operation(operationId = "watchProcess")
    HttpResponse<Publisher<byte[]>> events(@PathVariable UUID id, Caller caller) {
        service.process(caller, id, Capability.WORKFLOW_READ);
        return new EventStream(sink -> {
                    try (ProcessHub.Watch watch = hub.watch(id)) {
                        service.freshen(true);
                        Json process = service.processJson(caller, id);
                        sink.event("process", null, bytes(process));
                        boolean ended = !process.get("completedAt").isNull();
                        while (!ended) {
                            Optional<WorkflowEvent> next = watch.next(HEARTBEAT);
                            if (next.isEmpty()) {
                                sink.heartbeat();
                            } else {
                                ended = send(next.get(), sink);
                            }
                        }
                    }
                })
                .response();
    }

    /** @return whether the event was the last one */
    private static boolean send(WorkflowEvent event, EventStream.Sink sink) throws InterruptedException {
        sink.event(event.eventType(), Long.toString(event.meta().seq()), bytes(ProcessEvents.json(event)));
        return event instanceof ProcessChanged changed && changed.phase().isFinal();
    }

    private static byte[] bytes(Json json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Get a diagram of a process. A Mermaid flowchart with the state of each task.
     *
     * @return The diagram.
     */
    @Get("/{id}/diagram")
    @Authenticated
    @Produces("text/vnd.mermaid")
    @Operation(operationId = "getProcessDiagram")
    HttpResponse<String> diagram(@PathVariable UUID id, Caller caller) {
        Found found = service.process(caller, id, Capability.WORKFLOW_READ);
        DefinitionRow row = service.definition(caller, found);
        var phases = new HashMap<String, Phase>();
        for (Json task : processes.tasks(caller.tenant(), id, 0, MAX_TASKS)) {
            phases.put(
                    task.get("pointer").display(),
                    Phase.valueOf(task.get("phase").display().toUpperCase(Locale.ROOT)));
        }
        return HttpResponse.ok(Mermaid.of(DefinitionReader.read(row.definition()), phases))
                .contentType(new MediaType("text/vnd.mermaid"));
    }
}
