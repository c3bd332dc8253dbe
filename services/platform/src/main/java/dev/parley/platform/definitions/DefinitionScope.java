package dev.parley.platform.definitions;

import dev.parley.domain.definition.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a definition holds, as the key of its record on {@code definitions} says: {@code agent/NAME} everywhere,
 * {@code agent/HOST/NAME} in a host, {@code agent/HOST/PROJECT/NAME} in a project. Tools and skills that somebody
 * defined have their version at the end, {@code skill/HOST/NAME@1.0.0}.
 *
 * @param host null for all hosts
 * @param project null for all projects
 */
public record DefinitionScope(@Nullable UUID host, @Nullable UUID project) {
    /** What the installation itself defines, for all hosts. */
    public static final DefinitionScope INSTALLATION = new DefinitionScope(null, null);

    public DefinitionScope {
        if (host == null && project != null) {
            throw new IllegalArgumentException("a project is in a host");
        }
    }

    /** The key of the record of a definition that holds here. */
    public String key(Definition definition) {
        return key(definition.kind(), definition.recordName());
    }

    /** The key of the record of a definition of this kind and name that holds here. */
    public String key(String kind, String name) {
        return kind + "/" + (host == null ? "" : host + "/") + (project == null ? "" : project + "/") + name;
    }

    /**
     * The scope that a record's key names.
     *
     * @throws IllegalArgumentException when it is no key of a definition
     */
    public static DefinitionScope of(String key) {
        String[] parts = key.split("/", 5);
        return switch (parts.length) {
            case 2 -> INSTALLATION;
            case 3 -> new DefinitionScope(UUID.fromString(parts[1]), null);
            case 4 -> new DefinitionScope(UUID.fromString(parts[1]), UUID.fromString(parts[2]));
            default -> throw new IllegalArgumentException("no key of a definition: " + key);
        };
    }

    /** The scopes whose definitions are seen here; what a later one has goes before what an earlier one has. */
    List<DefinitionScope> widestFirst() {
        var all = new ArrayList<DefinitionScope>();
        for (Optional<DefinitionScope> scope = Optional.of(this);
                scope.isPresent();
                scope = scope.get().wider()) {
            all.addFirst(scope.get());
        }
        return all;
    }

    /** The next wider one; what is defined here goes before what is defined there. */
    Optional<DefinitionScope> wider() {
        return host == null ? Optional.empty() : Optional.of(new DefinitionScope(project == null ? null : host, null));
    }
}
