package dev.parley.control.powers;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.RequiresCapability;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Route of the powers that {@code parley.yml} grants. */
@Controller("/v1/powers")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(beans = ParleyConfig.class)
@Tag(name = "Powers", description = "Who may use what tools and workflows can reach, for administrators.")
class PowerController {
    private final ParleyConfig config;
    private final AccessDirectory directory;

    PowerController(ParleyConfig config, AccessDirectory directory) {
        this.config = config;
        this.directory = directory;
    }

    /**
     * All powers that are on.
     *
     * @param refusesPrograms True if the process runs as root and therefore starts no programs.
     */
    @Serdeable
    @Schema(name = "Powers")
    record PowersJson(List<PowerJson> data, boolean refusesPrograms) {}

    /**
     * A power, and who has it.
     *
     * @param setting Setting in parley.yml, such as tools.secrets.
     * @param name Which one: a secret's reference, a host, a folder; null for settings that have one.
     * @param to Hosts to which a secret may be sent; empty for other powers.
     * @param hosts Hosts whose own definitions have the power: default, or ids.
     * @param projects Projects that have the power: default, ids, or * for every project.
     * @param projectNames Names of these projects; unknown ones are not in it.
     * @param named False where the setting names nobody, as before 0.2.0.
     */
    @Serdeable
    @Schema(name = "Power")
    record PowerJson(
            String setting,
            @Nullable String name,
            List<String> to,
            List<String> hosts,
            List<String> projects,
            List<String> projectNames,
            boolean named) {}

    /**
     * List powers. What tools and workflows can reach beyond their sandbox, and which hosts and projects may. For
     * administrators of the installation's own host; parley.yml grants powers.
     *
     * @return All powers that are on.
     */
    @Get
    @RequiresCapability(Capability.HOST_MANAGE)
    @Operation(operationId = "listPowers")
    PowersJson list(Caller caller) {
        caller.requireOperator();
        PowerGrants powers = config.powers();
        List<PowerJson> data = powers.all().entrySet().stream()
                .map(entry -> json(entry.getKey(), entry.getValue()))
                .toList();
        return new PowersJson(data, powers.refusesPrograms());
    }

    private PowerJson json(Power power, Grant grant) {
        Set<String> to = config.tools().secrets().getOrDefault(power.name(), Set.of());
        return new PowerJson(
                power.kind().setting(),
                power.name().isEmpty() ? null : power.name(),
                power.kind() == Power.Kind.SECRET ? List.copyOf(new TreeSet<>(to)) : List.of(),
                grant.hosts(),
                grant.projects(),
                names(grant.projects()),
                grant.named());
    }

    private List<String> names(List<String> projects) {
        Function<String, String> key = name -> name.substring(name.indexOf('/') + 1);
        return projects.stream()
                .map(key)
                .flatMap(project -> directory.project(project).stream())
                .map(Project::name)
                .toList();
    }
}
