package dev.parley.control.definitions;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.Caller;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The host or project in which something is defined, and the caller who defines it.
 *
 * @param project null for the host level
 */
public record DefinitionScope(Caller caller, @Nullable Project project) {
    /**
     * A project, or the caller's host, where it is {@link Capability#SETTING_MANAGE} that is required.
     *
     * @param capability what is required in the project
     * @param project null for the host
     * @throws dev.parley.platform.http.ApiException where the caller lacks the capability there
     */
    public static DefinitionScope of(Caller caller, Capability capability, @Nullable String project) {
        return project == null ? host(caller) : new DefinitionScope(caller, caller.require(capability, project));
    }

    /** The caller's host. */
    public static DefinitionScope host(Caller caller) {
        caller.require(Capability.SETTING_MANAGE);
        return new DefinitionScope(caller, null);
    }

    /** The caller's host. */
    public UUID host() {
        return caller.host();
    }

    /** The id of the project; null for the host itself. */
    public @Nullable UUID projectId() {
        return project == null ? null : project.project();
    }

    /** The scope in keys. */
    public CatalogueScope scope() {
        return new CatalogueScope(host(), projectId());
    }

    /** The key of the record of an agent that is defined here. */
    public String key(String name) {
        return scope().key("agent", name);
    }

    /** The tenant of the rows that may be written. */
    public Tenant tenant() {
        return project == null ? caller.tenant() : caller.tenant().project(project.project());
    }

    /** The name of the scope in messages: {@code host} or {@code project}. */
    public String word() {
        return project == null ? "host" : "project";
    }
}
