package dev.parley.workflows.definition;

import dev.parley.workflows.json.Json;

/** A document in YAML or JSON that is no definition, such as a description of an API; bounded as definitions are. */
public final class YamlDocument {
    private YamlDocument() {}

    /**
     * Reads a document.
     *
     * @throws IllegalArgumentException when it is none; says where
     */
    public static Json read(String text) {
        try {
            return YamlText.of(text).value();
        } catch (InvalidDefinitionException e) {
            throw new IllegalArgumentException(e.problems().getFirst().toString(), e);
        }
    }
}
