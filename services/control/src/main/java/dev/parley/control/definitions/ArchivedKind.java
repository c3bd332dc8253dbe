package dev.parley.control.definitions;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One kind of what projects define, as archives of projects carry it: in the form in which it comes in over HTTP. */
public interface ArchivedKind {
    /** What they are called together, such as {@code agents}. */
    String name();

    /** Those that a project has defined itself. */
    List<JsonNode> all(DefinitionScope scope) throws IOException;

    /**
     * Defines one; nothing where the project has the same.
     *
     * @return what is other than it was, in words
     * @throws dev.parley.platform.http.ApiException where it cannot be defined here
     */
    Optional<String> make(DefinitionScope scope, JsonNode one) throws IOException;
}
