package dev.parley.platform.definitions;

import dev.parley.domain.Ids;
import dev.parley.domain.definition.DefinedRule;
import dev.parley.domain.definition.Definition;
import dev.parley.domain.permission.PermissionRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scope of a definition, which is part of the key of its record on {@code definitions}: {@code agent/NAME} for the
 * installation, {@code agent/HOST/NAME} for a host, {@code agent/HOST/PROJECT/NAME} for a project. Keys of defined
 * tools and skills end with a version, {@code skill/HOST/NAME@1.0.0}.
 *
 * @param host null for all hosts
 * @param project null for all projects
 */
public record CatalogueScope(@Nullable UUID host, @Nullable UUID project) {
    /** The installation, for all hosts. */
    public static final CatalogueScope INSTALLATION = new CatalogueScope(null, null);

    /** What the keys of permission rules begin with. */
    public static final String RULE = "permission/";

    public CatalogueScope {
        if (host == null && project != null) {
            throw new IllegalArgumentException("a project is in a host");
        }
    }

    /** The key of a definition in this scope. */
    public String key(Definition definition) {
        return key(definition.kind(), definition.recordName());
    }

    /** The key of a definition of this kind and name in this scope. */
    public String key(String kind, String name) {
        return kind + "/" + (host == null ? "" : host + "/") + (project == null ? "" : project + "/") + name;
    }

    /**
     * The scope of a key.
     *
     * @throws IllegalArgumentException if it is not a key of a definition
     */
    public static CatalogueScope of(String key) {
        String[] parts = key.split("/", 5);
        return switch (parts.length) {
            case 2 -> INSTALLATION;
            case 3 -> new CatalogueScope(Ids.parse(parts[1]), null);
            case 4 -> new CatalogueScope(Ids.parse(parts[1]), Ids.parse(parts[2]));
            default -> throw new IllegalArgumentException("no key of a definition: " + key);
        };
    }

    /** What takes the place of the rule of a key that cannot be read: it denies all calls in the scope of the rule. */
    public static DefinedRule denial(String key) {
        boolean ofProject = of(key).project() != null;
        return new DefinedRule(PermissionRule.refused(Ids.parse(key.substring(key.lastIndexOf('/') + 1)), ofProject));
    }

    /** Whether a text is the key of a definition, of whatever kind. */
    static boolean isKey(String key) {
        String[] parts = key.split("/", 5);
        return parts.length > 1
                && parts.length < 5
                && Stream.of(parts).skip(1).limit(parts.length - 2L).allMatch(Ids::isId)
                && (!key.startsWith(RULE) || Ids.isId(parts[parts.length - 1]));
    }

    /** The scopes whose definitions are visible here; later ones override earlier ones. */
    List<CatalogueScope> widestFirst() {
        var scopes = new ArrayList<CatalogueScope>();
        for (Optional<CatalogueScope> scope = Optional.of(this);
                scope.isPresent();
                scope = scope.get().wider()) {
            scopes.addFirst(scope.get());
        }
        return scopes;
    }

    /** The next wider scope, whose definitions this one overrides. */
    Optional<CatalogueScope> wider() {
        return host == null ? Optional.empty() : Optional.of(new CatalogueScope(project == null ? null : host, null));
    }
}
