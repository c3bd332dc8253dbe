package dev.parley.control.definitions;

import dev.parley.control.http.Documents;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.document.Field;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** The part of a project's settings that holds its guardrails. */
public record ProjectGuardrails(
        @Field(entries = Guardrail.MAX_COUNT, key = "name") List<Guardrail> guardrails) {
    /** The name of the setting. */
    public static final String SETTING = "guardrails";

    /**
     * Reads the value of the setting.
     *
     * @throws dev.parley.platform.http.ApiException 400 naming the invalid fields
     */
    public static List<Guardrail> read(JsonNode setting) {
        return Documents.read(ProjectGuardrails.class, null, JsonNode.createObjectNode(Map.of(SETTING, setting)))
                .guardrails();
    }
}
