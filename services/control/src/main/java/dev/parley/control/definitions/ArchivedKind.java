package dev.parley.control.definitions;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A kind of definition in project archives, in the JSON form of the HTTP API. */
public interface ArchivedKind {
    /** The plural name, such as {@code agents}. */
    String name();

    /** The definitions of the project itself. */
    List<JsonNode> export(DefinitionScope scope) throws IOException;

    /**
     * Imports a definition; does nothing where the project has an equal one.
     *
     * @return the difference between the result and the archive, for people
     * @throws dev.parley.platform.http.ApiException where the definition is rejected
     */
    Optional<String> importOne(DefinitionScope scope, JsonNode definition) throws IOException;
}
