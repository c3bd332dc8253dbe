package dev.parley.workflows.api;

import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Audited;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Problem;
import dev.parley.workflows.catalogue.DefinitionRow;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Publication;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.diagram.Mermaid;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** HTTP responses about definitions, shared by the routes of hosts and projects. */
@Singleton
final class DefinitionService {
    private final WorkflowCatalogue definitions;
    private final ScheduleService schedules;

    DefinitionService(WorkflowCatalogue definitions, ScheduleService schedules) {
        this.definitions = definitions;
        this.schedules = schedules;
    }

    /**
     * The scope of a request.
     *
     * @param project key of the project, null for the host
     */
    static Scope scope(Caller caller, @Nullable String project, Capability capability) {
        if (project != null) {
            return new Scope(caller.host(), caller.require(capability, project).project());
        }
        if (capability == Capability.WORKFLOW_MANAGE) {
            caller.require(Capability.SETTING_MANAGE);
        }
        return new Scope(caller.host(), null);
    }

    HttpResponse<String> publish(Scope scope, String yaml, @Nullable Boolean dryRun, Caller caller) {
        if (yaml.length() > WorkflowCatalogue.MAX_LENGTH) {
            throw ApiException.tooLarge(
                    "A definition has at most %,d characters".formatted(WorkflowCatalogue.MAX_LENGTH));
        }
        try {
            if (Boolean.TRUE.equals(dryRun)) {
                return HttpResponse.ok(json(definitions.read(scope, yaml)).toString());
            }
            return response(scope, definitions.publish(scope, yaml, caller.user()));
        } catch (InvalidDefinitionException e) {
            return invalid(e);
        }
    }

    private HttpResponse<String> response(Scope scope, Publication publication) {
        return switch (publication) {
            case Publication.Published published -> {
                DefinitionRow row = published.row();
                schedules.update(scope, row.namespace(), row.name());
                String body = json(row)
                        .with("warnings", warnings(published.workflow()))
                        .toString();
                yield (published.isNew() ? HttpResponse.created(body) : HttpResponse.ok(body))
                        .setAttribute(Audited.SUBJECT, row.wfDefId().toString());
            }
            case Publication.VersionExists(String reference) ->
                throw ProcessService.conflict(
                        "version_exists",
                        "The version " + reference
                                + " is already published with different content: use another version");
            case Publication.TooMany(int limit) ->
                throw ProcessService.conflict(
                        "too_many", "The limit of %,d published versions is reached".formatted(limit));
        };
    }

    /** The response for an invalid definition, with all problems. */
    private static HttpResponse<String> invalid(InvalidDefinitionException e) {
        Json problem = Json.of("type", Json.of("about:blank"))
                .with("title", Json.of(HttpStatus.BAD_REQUEST.getReason()))
                .with("status", Json.of(HttpStatus.BAD_REQUEST.getCode()))
                .with("code", Json.of("invalid_definition"))
                .with(
                        "detail",
                        Json.of("The definition cannot run: "
                                + e.problems().getFirst().detail()))
                .with("errors", problems(e.problems()));
        return HttpResponse.<String>badRequest().contentType(Problem.MEDIA_TYPE).body(problem.toString());
    }

    private static Json problems(List<dev.parley.workflows.definition.DefinitionProblem> problems) {
        return Json.of(problems.stream()
                .<Json>map(problem -> Json.of("pointer", Json.of(problem.pointer()))
                        .with("line", Json.of(problem.line()))
                        .with("column", Json.of(problem.column()))
                        .with("detail", Json.of(problem.detail())))
                .toList());
    }

    private static Json warnings(Workflow workflow) {
        return problems(workflow.warnings());
    }

    private static Json json(Workflow workflow) {
        return Json.of("namespace", Json.of(workflow.namespace()))
                .with("name", Json.of(workflow.name()))
                .with("version", Json.of(workflow.version()))
                .with("warnings", warnings(workflow));
    }

    private static Json json(DefinitionRow row) {
        var json = new LinkedHashMap<String, Json>();
        json.put("id", Json.of(row.wfDefId().toString()));
        json.put("namespace", Json.of(row.namespace()));
        json.put("name", Json.of(row.name()));
        json.put("version", Json.of(row.version()));
        json.put("title", Json.textOf(row.title()));
        json.put("summary", Json.textOf(row.summary()));
        json.put("scope", Json.of(row.projectId() == null ? "host" : "project"));
        json.put("digest", Json.of(row.digest()));
        json.put("publishedAt", Json.of(row.createdAt().toString()));
        json.put("publishedBy", Json.of(row.updatedBy()));
        return Json.of(json);
    }

    String list(
            Scope scope,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable Integer limit,
            @Nullable String cursor) {
        int pageSize = Cursor.limit(limit);
        Cursor after = Cursor.parse(cursor);
        List<DefinitionRow> rows = definitions.page(
                scope, namespace, name, after == null ? null : after.first(), Cursor.idOf(after), pageSize + 1);
        List<DefinitionRow> page = rows.size() > pageSize ? rows.subList(0, pageSize) : rows;
        DefinitionRow last = rows.size() > pageSize ? page.getLast() : null;
        return ProcessService.page(
                page.stream().map(DefinitionService::json).toList(),
                last == null ? null : Cursor.of(last.namespace() + ":" + last.name(), last.wfDefId()));
    }

    private DefinitionRow find(Scope scope, String reference) {
        return definitions.find(scope, reference).orElseThrow(() -> ProcessService.unknownWorkflow(reference));
    }

    String show(Scope scope, String reference) {
        DefinitionRow row = find(scope, reference);
        Workflow workflow = DefinitionReader.read(row.definition());
        return json(row)
                .with("needs", Json.of(workflow.needs().stream().map(Json::of).toList()))
                .with("warnings", warnings(workflow))
                .with("inputSchema", inputSchema(workflow))
                .toString();
    }

    /** The schema of its input, or null. */
    private static Json inputSchema(Workflow workflow) {
        Schema schema = workflow.input().schema();
        return schema == null ? Values.NULL : schema.source();
    }

    HttpResponse<String> text(Scope scope, String reference) {
        DefinitionRow row = find(scope, reference);
        return HttpResponse.ok(row.definition())
                .contentType(new MediaType("application/yaml"))
                .header("ETag", '"' + row.digest() + '"');
    }

    HttpResponse<String> diagram(Scope scope, String reference) {
        Workflow workflow = DefinitionReader.read(find(scope, reference).definition());
        return HttpResponse.ok(Mermaid.of(workflow)).contentType(new MediaType("text/vnd.mermaid"));
    }

    HttpResponse<Void> delete(Scope scope, UUID id, Caller caller) {
        DefinitionRow row =
                definitions.byId(scope, id).orElseThrow(() -> ProcessService.unknownWorkflow(id.toString()));
        if (!definitions.delete(scope, row, caller.user())) {
            throw ProcessService.unknownWorkflow(id.toString());
        }
        schedules.update(scope, row.namespace(), row.name());
        return HttpResponse.noContent();
    }
}
