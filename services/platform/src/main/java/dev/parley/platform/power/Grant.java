package dev.parley.platform.power;

import static dev.parley.platform.access.AccessDirectory.DEFAULT_HOST;

import dev.parley.domain.RecordKey;
import dev.parley.platform.definitions.CatalogueScope;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts and projects that have a power. They are named by their ids, which nobody chooses: a name would be that of
 * whoever took it first.
 *
 * @param named false where the setting names none, as before 0.2.0
 * @param scopes projects, and hosts: what a host's administrators define for all of it
 * @param everyProjectOf hosts of which each project has the power, also one that is created later
 */
public record Grant(boolean named, Set<CatalogueScope> scopes, Set<UUID> everyProjectOf) {
    /** The name of the installation's own host. */
    public static final String OWN = "default";

    /** Stands for every project of a host. */
    public static final String EVERY = "*";

    /**
     * Where a setting names nobody: the installation's own host and its default project, in which only its
     * administrators, and those whom they made administrators of that project, can publish definitions.
     */
    public static final Grant UNNAMED = new Grant(
            false,
            Set.of(
                    new CatalogueScope(DEFAULT_HOST, null),
                    new CatalogueScope(DEFAULT_HOST, RecordKey.projectId(RecordKey.DEFAULT_PROJECT))),
            Set.of());

    /** The administrators of the installation's own host, for what they define for all of it. */
    public static final Grant OWN_HOST = new Grant(true, Set.of(new CatalogueScope(DEFAULT_HOST, null)), Set.of());

    public Grant {
        scopes = Set.copyOf(scopes);
        everyProjectOf = Set.copyOf(everyProjectOf);
    }

    /** Who has a power or lacks it, as {@code parley.yml} names them: in the list {@code hosts} or {@code projects}. */
    record Grantee(String list, String name) {
        static Grantee of(CatalogueScope scope) {
            UUID project = scope.project();
            return project == null
                    ? new Grantee("hosts", host(scope.host()))
                    : new Grantee("projects", prefix(scope.host()) + RecordKey.projectKey(project));
        }

        private static String host(@Nullable UUID host) {
            return DEFAULT_HOST.equals(host) ? OWN : String.valueOf(host);
        }

        private static String prefix(@Nullable UUID host) {
            return DEFAULT_HOST.equals(host) ? "" : host + "/";
        }
    }

    /** Whether something that a host or project has published may use the power. */
    boolean includes(CatalogueScope scope) {
        UUID host = scope.host();
        return scopes.contains(scope) || host != null && scope.project() != null && everyProjectOf.contains(host);
    }

    /** The projects as {@code parley.yml} names them. */
    public List<String> projects() {
        return Stream.concat(
                        everyProjectOf.stream().map(host -> Grantee.prefix(host) + EVERY),
                        scopes.stream()
                                .filter(scope -> scope.project() != null)
                                .map(scope -> Grantee.of(scope).name()))
                .sorted()
                .toList();
    }

    /** The hosts whose own definitions have the power, as {@code parley.yml} names them. */
    public List<String> hosts() {
        return scopes.stream()
                .filter(scope -> scope.project() == null)
                .map(scope -> Grantee.of(scope).name())
                .sorted()
                .toList();
    }
}
