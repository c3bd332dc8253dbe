package dev.parley.control.catalogue;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** What skills are parts of. It has paths of its own, since below those of the skills every word may be a skill's name. */
@Controller("/v1")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(property = "parley.role.control", value = "true", beans = CatalogueService.class)
@Tag(name = "Skills", description = "Skills of projects and hosts, defined while everything runs.")
class SkillTreeController {
    private final CatalogueService service;

    SkillTreeController(CatalogueService service) {
        this.service = service;
    }

    @Get("/projects/{project}/skill-tree")
    @RequiresCapability(Capability.AGENT_READ)
    @Operation(
            operationId = "showSkillTree",
            summary = "Show skills as a tree",
            description = "The newest version of each, by name, below the skill that it is a part of.")
    @ApiResponse(responseCode = "200", description = "Those that are a part of none, with all below them.")
    List<SkillTree> ofProject(@PathVariable String project, @Parameter(hidden = true) Caller caller) {
        return service.tree(DefinitionScope.project(caller, Capability.AGENT_READ, project));
    }

    @Get("/skill-tree")
    @RequiresCapability(Capability.SETTING_MANAGE)
    @Operation(
            operationId = "showHostSkillTree",
            summary = "Show the host's skills as a tree",
            description = "The newest version of each, by name, below the skill that it is a part of.")
    @ApiResponse(responseCode = "200", description = "Those that are a part of none, with all below them.")
    List<SkillTree> ofHost(@Parameter(hidden = true) Caller caller) {
        return service.tree(DefinitionScope.host(caller));
    }
}
