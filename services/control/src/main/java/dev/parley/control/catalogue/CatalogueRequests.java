package dev.parley.control.catalogue;

import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.EndpointJson;
import dev.parley.control.definitions.EndpointJson.AllowJson;
import dev.parley.control.definitions.SkillEntry;
import dev.parley.control.definitions.ToolJson;
import dev.parley.control.definitions.ToolRules;
import dev.parley.control.http.Checks;
import dev.parley.control.http.Documents;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.document.Fault;
import dev.parley.platform.access.AccessFollower;
import io.micronaut.context.annotation.Requires;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tools, skills and endpoints of requests and archives. Each method throws an {@link
 * dev.parley.platform.http.ApiException} 400 that names the invalid fields; its {@code name} is the one in the path, or
 * null where the document has it.
 */
@Singleton
@Requires(beans = Catalogue.class)
final class CatalogueRequests {
    private final AccessFollower directory;

    CatalogueRequests(AccessFollower directory) {
        this.directory = directory;
    }

    static ToolJson tool(DefinitionScope scope, @Nullable String name, JsonNode document) {
        ToolJson tool = Documents.readEntry(ToolJson.class, name, document);
        List<Fault> faults = scope.project() == null ? List.of() : ToolRules.ofHost(tool);
        if (!faults.isEmpty()) {
            throw Checks.invalid(faults);
        }
        return tool;
    }

    static SkillEntry skill(@Nullable String name, JsonNode document) {
        return Documents.readEntry(SkillEntry.class, name, document);
    }

    /** The endpoint, with ids instead of the names of users, as names can be reassigned. */
    EndpointJson endpoint(UUID host, @Nullable String name, JsonNode document) {
        EndpointJson endpoint = Documents.readEntry(EndpointJson.class, name, document);
        AllowJson allow = endpoint.allow();
        return allow == null
                ? endpoint
                : endpoint.withAllow(new AllowJson(
                        allow.roles(),
                        each(allow.users(), user -> user(host, user)),
                        each(allow.projects(), project -> project(host, project))));
    }

    private static @Nullable List<String> each(@Nullable List<String> names, UnaryOperator<String> read) {
        return names == null ? null : names.stream().map(read).toList();
    }

    private String user(UUID host, String idOrName) {
        return directory
                .accounts(host)
                .filter(account -> account.user().toString().equals(idOrName) || isNamed(account, idOrName))
                .map(account -> account.user().toString())
                .findFirst()
                .orElseThrow(() -> Checks.invalid("allow.users", "names no user of this host: '" + idOrName + "'"));
    }

    private static boolean isNamed(Account account, String name) {
        return account.erasure() == null && account.name().equalsIgnoreCase(name);
    }

    private String project(UUID host, String key) {
        return directory
                .project(key)
                .filter(project -> project.host().equals(host))
                .orElseThrow(() -> Checks.invalid("allow.projects", "names no project of this host: '" + key + "'"))
                .projectKey();
    }
}
