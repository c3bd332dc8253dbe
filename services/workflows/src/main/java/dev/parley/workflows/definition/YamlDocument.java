package dev.parley.workflows.definition;

import dev.parley.workflows.json.Json;

/** Parser of other documents in YAML or JSON, such as OpenAPI, with the size limits of definitions. */
public final class YamlDocument {
    private YamlDocument() {}

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException if the document is invalid, with the location
     */
    public static Json read(String text) {
        try {
            return YamlText.of(text).value();
        } catch (InvalidDefinitionException e) {
            throw new IllegalArgumentException(e.problems().getFirst().toString(), e);
        }
    }
}
