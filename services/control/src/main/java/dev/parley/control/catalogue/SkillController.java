package dev.parley.control.catalogue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.SkillEntry;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Page;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Routes of skills: those of projects and, for administrators, those of hosts. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = CatalogueService.class)
@Tag(name = "Skills", description = "Skills of projects and hosts, defined at run time.")
class SkillController {
    private static final String LIST =
            "The newest version of each visible skill, by name; a project's own takes precedence over its host's. "
                    + "With q, the best matches by meaning and by words; a paraphrase matches too.";
    private static final String QUERY =
            "Purpose to search for, in any words; the best matches come first, on one page.";

    private static final String OF_PROJECT = "/projects/{project}/skills";
    private static final String OF_HOST = "/skills";

    private final CatalogueService service;

    SkillController(CatalogueService service) {
        this.service = service;
    }

    /** A skill in the catalogue: its definition, or why this build refuses what is stored. */
    @Serdeable
    @Schema(
            name = "StoredSkill",
            description = "A skill; one that this build refuses has a name, a version, a source and what is wrong.",
            oneOf = {SkillEntry.class, RefusedEntry.class})
    record SkillView(@Schema(hidden = true) JsonNode entry) {
        @JsonValue
        JsonNode json() {
            return entry;
        }
    }

    /** Request body that defines a skill: its document, which {@link CatalogueRequests} reads. */
    @Serdeable
    @Schema(name = "SkillDefinition") // DocumentSchemas has its fields
    record SkillBody(@Schema(hidden = true) JsonNode document) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        SkillBody {}
    }

    @Get(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listSkills", summary = "List skills", description = LIST)
    @ApiResponse(responseCode = "200", description = "A page of skills.")
    Page<SkillView> list(
            @Nullable @PathVariable String project,
            @Parameter(description = "Only skills with this tag.") @Nullable @QueryValue String tag,
            @Parameter(description = "Only skills in this folder or below it.") @Nullable @QueryValue String category,
            @Parameter(description = QUERY) @Nullable @QueryValue String q,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            Caller caller) {
        return service.list(
                        DefinitionScope.of(caller, Capability.AGENT_READ, project),
                        CatalogueTable.SKILL,
                        skill -> skill.fits(tag, category),
                        q,
                        limit,
                        cursor)
                .map(SkillView::new);
    }

    /**
     * Get a skill. The newest version or the one in version. The response has an ETag.
     *
     * @return The skill.
     */
    @Get(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "showSkill")
    HttpResponse<SkillView> show(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Nullable @QueryValue String version,
            Caller caller) {
        return service.show(
                DefinitionScope.of(caller, Capability.AGENT_READ, project),
                CatalogueTable.SKILL,
                name,
                version,
                SkillView::new);
    }

    /**
     * List versions of a skill. Versions, newest first.
     *
     * @return All versions.
     */
    @Get(uris = {OF_PROJECT + "/{name}/versions", OF_HOST + "/{name}/versions"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "listSkillVersions")
    List<SkillView> versions(@Nullable @PathVariable String project, @PathVariable String name, Caller caller) {
        return service
                .versions(DefinitionScope.of(caller, Capability.AGENT_READ, project), CatalogueTable.SKILL, name)
                .stream()
                .map(SkillView::new)
                .toList();
    }

    /**
     * Create a version of a skill. Takes effect from the next call.
     *
     * @param dryRun True to validate the request without saving it.
     */
    @MaxBody(BodySize.DEFINITION)
    @Post(uris = {OF_PROJECT, OF_HOST})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "makeSkill")
    @ApiResponse(responseCode = "201", description = "The skill version was created.")
    @ApiResponse(responseCode = "409", description = "This version already exists.")
    HttpResponse<SkillEntry> make(
            @Nullable @PathVariable String project,
            @Body SkillBody body,
            @Nullable @QueryValue Boolean dryRun,
            Caller caller) {
        DefinitionScope scope = DefinitionScope.of(caller, Capability.AGENT_MANAGE, project);
        return service.create(scope, CatalogueTable.SKILL, CatalogueRequests.skill(null, body.document()), dryRun);
    }

    /**
     * Replace a version of a skill. Omitted fields return to their defaults. Requires If-Match with the ETag that was
     * read.
     *
     * @param dryRun True to validate the request without saving it.
     * @return The skill.
     */
    @MaxBody(BodySize.DEFINITION)
    @Put(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "replaceSkill")
    @ApiResponse(responseCode = "403", description = "The skill is defined elsewhere and cannot be changed here.")
    HttpResponse<SkillEntry> replace(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @Body SkillBody body,
            @Nullable @QueryValue Boolean dryRun,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        DefinitionScope scope = DefinitionScope.of(caller, Capability.AGENT_MANAGE, project);
        return service.replace(
                scope, CatalogueTable.SKILL, CatalogueRequests.skill(name, body.document()), ifMatch, dryRun);
    }

    /** Delete a version of a skill. An older version takes its place, if there is one. POST restores it. */
    @Delete(uris = {OF_PROJECT + "/{name}", OF_HOST + "/{name}"})
    @RequiresCapability(value = Capability.AGENT_MANAGE, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "deleteSkill")
    @ApiResponse(responseCode = "204", description = "The skill version was deleted.")
    HttpResponse<Void> delete(
            @Nullable @PathVariable String project,
            @PathVariable String name,
            @QueryValue String version,
            @Nullable @Header("If-Match") String ifMatch,
            Caller caller) {
        return service.delete(
                DefinitionScope.of(caller, Capability.AGENT_MANAGE, project),
                CatalogueTable.SKILL,
                name,
                version,
                ifMatch);
    }

    /**
     * Get skills as a tree. The newest version of each skill, by name, below its parent skill.
     *
     * @return Skills without a parent, with all skills below them.
     */
    @Get(uris = {"/projects/{project}/skill-tree", "/skill-tree"})
    @RequiresCapability(value = Capability.AGENT_READ, inHost = Capability.SETTING_MANAGE)
    @Operation(operationId = "showSkillTree")
    List<SkillTree> ofProject(@Nullable @PathVariable String project, Caller caller) {
        return service.tree(DefinitionScope.of(caller, Capability.AGENT_READ, project));
    }
}
