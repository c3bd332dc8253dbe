package dev.parley.domain.definition;

import dev.parley.domain.permission.PermissionRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A view of other definitions with different agents. */
public interface DefinitionsAround extends Definitions {
    /** The underlying definitions. */
    Definitions there();

    @Override
    default List<ToolSpec> tools() {
        return there().tools();
    }

    @Override
    default Optional<ToolSpec> tool(String name) {
        return there().tool(name);
    }

    @Override
    default Optional<ToolSpec> tool(String name, @Nullable String version) {
        return there().tool(name, version);
    }

    @Override
    default Optional<DefinedTool> definedTool(String name, String version) {
        return there().definedTool(name, version);
    }

    @Override
    default Optional<Endpoint> endpoint(String name) {
        return there().endpoint(name);
    }

    @Override
    default List<Skill> skills() {
        return there().skills();
    }

    @Override
    default Optional<Skill> skill(String name, @Nullable String version) {
        return there().skill(name, version);
    }

    @Override
    default List<PermissionRule> permissions() {
        return there().permissions();
    }

    @Override
    default Set<String> bots() {
        return there().bots();
    }

    @Override
    default Optional<String> account(String username) {
        return there().account(username);
    }
}
