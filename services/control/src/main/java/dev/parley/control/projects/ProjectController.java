package dev.parley.control.projects;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.control.definitions.ProjectGuardrails;
import dev.parley.control.http.Checks;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.projects.Projects.Content;
import dev.parley.control.projects.Projects.Created;
import dev.parley.control.settings.HostSetting;
import dev.parley.control.settings.SettingNames;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.access.RightsChange.Change.OfGuests;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Cursor;
import dev.parley.platform.http.Erasing;
import dev.parley.platform.http.IfMatch;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Routes of projects and their settings. */
@Controller("/v1/projects")
@ExecuteOn(TaskExecutors.BLOCKING)
@Tag(name = "Projects", description = "Projects and their members.")
class ProjectController {
    private static final List<String> TYPES = List.of("local", "git", "remote");
    /** The settings that Parley reads; others are stored unchanged. */
    private static final List<String> SETTINGS = List.of(
            "retentionDays", HostSetting.DEFAULT_MODEL.code(), ProjectGuardrails.SETTING, "projectChanges", "sessions");

    private static final String CHECKOUT_TOOL = "repo_read";

    private static final int MAX_SETTINGS = 64 << 10;
    private static final int MAX_RETENTION_DAYS = 36_500;

    private final Projects projects;
    private final KafkaDefinitions definitions;

    ProjectController(Projects projects, KafkaDefinitions definitions) {
        this.projects = projects;
        this.definitions = definitions;
    }

    /** A checkout is open while the role {@code tools} defines its tools in the project. */
    private ProjectJson withCheckoutState(Caller caller, ProjectJson project) {
        var scope = new CatalogueScope(caller.host(), project.id());
        return project.with(!definitions.shows(scope.key("tool", CHECKOUT_TOOL), null));
    }

    /**
     * A new project.
     *
     * @param type Type: local (needs path), git (needs path or gitRemote) or remote. Defaults to remote.
     * @param externalKey Key in an external system, such as the root commit of a git repository; opening it twice finds
     *     the same project.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "NewProject")
    record NewJson(
            @Nullable String name,
            @Nullable String description,
            @Nullable String type,
            @Nullable String path,
            @Nullable String gitRemote,
            @Nullable String externalKey,
            @Nullable String iconUrl,
            @Nullable String color,
            @Schema(type = "object") @Nullable JsonNode settings) {}

    /** Changes of a project; an empty text clears a field. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "ProjectChange")
    record ChangeJson(
            @Nullable String name,
            @Nullable String description,
            @Nullable String iconUrl,
            @Nullable String color) {}

    /** Create a project. The caller becomes the owner. The same externalKey finds the same project. */
    @Post
    @RequiresCapability(Capability.PROJECT_CREATE)
    @ApiResponse(responseCode = "201", description = "The project was created.")
    @ApiResponse(responseCode = "200", description = "A project with this externalKey already exists.")
    HttpResponse<ProjectJson> make(@Body NewJson body, Caller caller) {
        Created created = projects.create(caller, content(body));
        ProjectJson project = withCheckoutState(caller, created.project());
        return (created.isNew() ? HttpResponse.created(project) : HttpResponse.ok(project))
                .header("ETag", IfMatch.tag(project.version()));
    }

    private static Content content(NewJson body) {
        String type = body.type() == null ? "remote" : body.type();
        if (!TYPES.contains(type)) {
            throw Checks.invalid("type", "must be local, git or remote");
        }
        String path = Checks.optionalName("path", body.path(), 4_096);
        String gitRemote = Checks.optionalName("gitRemote", body.gitRemote(), 2_048);
        requireLocation(type, path, gitRemote);
        return new Content(
                Checks.requireName("name", body.name(), 126),
                Checks.optional("description", body.description(), 2_000),
                type,
                path,
                gitRemote,
                Checks.optionalName("externalKey", body.externalKey(), 256),
                Checks.webAddress("iconUrl", body.iconUrl()),
                Checks.optionalName("color", body.color(), 32),
                body.settings() == null ? null : settings(body.settings()));
    }

    private static void requireLocation(String type, @Nullable String path, @Nullable String gitRemote) {
        if (type.equals("local") && path == null) {
            throw ApiException.badRequest("missing_field", "A local project needs the field 'path'");
        }
        if (type.equals("git") && path == null && gitRemote == null) {
            throw ApiException.badRequest("missing_field", "A git project needs the field 'path' or 'gitRemote'");
        }
    }

    private static String settings(JsonNode json) {
        if (!json.isObject()) {
            throw Checks.invalid("settings", "must be a JSON object");
        }
        json.entries().forEach(member -> SettingNames.rejectMisspelled(member.getKey(), SETTINGS));
        requireValid(json);
        String text = JsonColumns.storable(json);
        if (text.length() > MAX_SETTINGS) {
            throw ApiException.tooLarge("Settings must have at most " + MAX_SETTINGS + " characters");
        }
        return text;
    }

    private static void requireValid(JsonNode json) {
        JsonNode days = json.get("retentionDays");
        require(
                days == null || days.isNumber() && days.getIntValue() >= 1 && days.getIntValue() <= MAX_RETENTION_DAYS,
                "must have retentionDays from 1 to " + MAX_RETENTION_DAYS);
        requireValidModel(json);
        JsonNode rails = json.get(ProjectGuardrails.SETTING);
        if (rails != null && !rails.isNull()) {
            ProjectGuardrails.read(rails);
        }
        JsonNode changes = json.get("projectChanges");
        require(changes == null || changes.isBoolean(), "must have projectChanges as true or false");
        JsonNode sessions = json.get("sessions");
        require(
                sessions == null
                        || sessions.isString() && List.of("shared", "own").contains(sessions.getStringValue()),
                "must have sessions as \"shared\" or \"own\"");
    }

    private static void requireValidModel(JsonNode json) {
        JsonNode model = json.get(HostSetting.DEFAULT_MODEL.code());
        if (model != null && !model.isNull()) {
            HostSetting.DEFAULT_MODEL
                    .fault(model)
                    .ifPresent(fault -> require(false, "has defaultModel, which " + fault));
        }
    }

    private static void require(boolean valid, String fault) {
        if (!valid) {
            throw Checks.invalid("settings", fault);
        }
    }

    /**
     * List projects. Projects of which the caller is a member, newest first.
     *
     * @param all True to list all projects of the host; for administrators.
     * @param path Only projects with this path.
     * @return A page of projects.
     */
    @Get
    @Authenticated
    Page<ProjectJson> list(
            @Nullable @QueryValue Boolean all,
            @Nullable @QueryValue Boolean includeArchived,
            @Nullable @QueryValue String path,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        int max = Cursor.limit(limit);
        var rows = projects.list(
                caller,
                Boolean.TRUE.equals(all),
                Boolean.TRUE.equals(includeArchived),
                path,
                max,
                Cursor.parse(cursor));
        return Page.of(rows, max, row -> withCheckoutState(caller, row), row -> Cursor.of(row.createdAt(), row.id()));
    }

    private HttpResponse<ProjectJson> okWithETag(Caller caller, ProjectJson project) {
        return HttpResponse.ok(withCheckoutState(caller, project)).header("ETag", IfMatch.tag(project.version()));
    }

    /**
     * Get a project. The response has an ETag.
     *
     * @return The project.
     */
    @Get("/{project}")
    @RequiresCapability(Capability.PROJECT_READ)
    HttpResponse<ProjectJson> show(@PathVariable String project, Caller caller) {
        return okWithETag(caller, projects.find(caller, caller.require(Capability.PROJECT_READ, project)));
    }

    /**
     * Update a project. Requires If-Match with the ETag that was read.
     *
     * @return The project.
     */
    @Patch("/{project}")
    @RequiresCapability(Capability.PROJECT_UPDATE)
    HttpResponse<ProjectJson> change(
            @PathVariable String project,
            @Body ChangeJson body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        boolean noIcon = body.iconUrl() == null || body.iconUrl().isEmpty();
        var content = new Content(
                body.name() == null ? null : Checks.requireName("name", body.name(), 126),
                body.description() == null ? null : orEmpty(Checks.optional("description", body.description(), 2_000)),
                null,
                null,
                null,
                null,
                noIcon ? body.iconUrl() : Checks.webAddress("iconUrl", body.iconUrl()),
                body.color() == null ? null : orEmpty(Checks.optionalName("color", body.color(), 32)),
                null);
        return okWithETag(
                caller, projects.change(caller, caller.require(Capability.PROJECT_UPDATE, project), content, ifMatch));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /**
     * Set a project's settings. Replaces all settings. Requires If-Match with the project's ETag.
     *
     * @return The project.
     */
    @Put("/{project}/settings")
    @RequiresCapability(Capability.PROJECT_UPDATE)
    HttpResponse<ProjectJson> set(
            @PathVariable String project,
            @Body JsonNode body,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        var content = new Content(null, null, null, null, null, null, null, null, settings(body));
        Project changed = caller.require(Capability.PROJECT_UPDATE, project);
        if (!changed.sharedSessions() && isShared(body)) { // lets all members read everybody's sessions
            caller.requireChange(new OfGuests(Set.of(Capability.SESSION_READ_ALL)), changed);
        }
        return okWithETag(caller, projects.change(caller, changed, content, ifMatch));
    }

    private static boolean isShared(JsonNode settings) {
        JsonNode sessions = settings.get("sessions");
        return sessions != null
                && sessions.isString()
                && sessions.getStringValue().equals("shared");
    }

    /** Archive a project. Hides the project from lists; its content stays. */
    @Delete("/{project}")
    @RequiresCapability(Capability.PROJECT_DELETE)
    @ApiResponse(responseCode = "204", description = "The project was archived.")
    HttpResponse<Void> archive(
            @PathVariable String project, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        projects.archive(caller, caller.require(Capability.PROJECT_DELETE, project), true, ifMatch);
        return HttpResponse.noContent();
    }

    /**
     * Erase a project. Removes the project's details and erases all its sessions. This cannot be undone. The receipt
     * shows the progress: GET /v1/erasures/{erasure}.
     */
    @Post("/{project}/erase")
    @RequiresCapability(Capability.PROJECT_DELETE)
    @ApiResponse(responseCode = "202", description = "The project was removed, and its content is being erased.")
    HttpResponse<Erasing> erase(
            @PathVariable String project, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        return Erasing.accepted(projects.erase(caller, caller.require(Capability.PROJECT_DELETE, project), ifMatch));
    }

    /**
     * Restore a project. Restores the project to its state before it was archived.
     *
     * @return The project was restored.
     */
    @Post("/{project}/restore")
    @RequiresCapability(Capability.PROJECT_DELETE)
    HttpResponse<ProjectJson> restore(
            @PathVariable String project, @Nullable @Header("If-Match") String ifMatch, Caller caller) {
        return okWithETag(
                caller, projects.archive(caller, caller.require(Capability.PROJECT_DELETE, project), false, ifMatch));
    }
}
